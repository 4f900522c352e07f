// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/verify/with_default.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "tuner/contest.hpp"

namespace breakeven::verify {

namespace {

bool same_place(const Case& one, const Case& other) {
  return tables::place_of(one) == tables::place_of(other);
}

/// The part of a rule from one size on, up to another one.
tables::Rule part_of(const tables::Rule& rule, Bytes from, Bytes to) {
  tables::Rule part = rule;
  part.what.message = from;
  std::erase_if(part.gains, [&](const tables::SizeGain& each) {
    return each.message < from || each.message >= to;
  });
  if (part.gains.empty()) return part;
  part.first_measured = part.gains.front().message;
  part.last_measured = part.gains.back().message;
  part.sizes = static_cast<int>(part.gains.size());
  part.decided_sizes = std::min(part.decided_sizes, part.sizes);
  part.speedup = std::ranges::min_element(part.gains, {}, [](const tables::SizeGain& each) {
                   return each.speedup.ratio;
                 })->speedup;
  return part;
}

tables::Rule as_native(tables::Rule rule) {
  rule.what.variant = Native{};
  rule.requirement = kernels::kAnyProcs;
  rule.certainty = tables::Certainty::undecided;
  rule.speedup.reset();
  rule.gains.clear();
  return rule;
}

/// Whether a size in [from, to) was measured; true where the rule does not say.
bool measured_in(const tables::Rule& rule, Bytes from, Bytes to) {
  return rule.gains.empty() || std::ranges::any_of(rule.gains, [&](const tables::SizeGain& each) {
           return from <= each.message && each.message < to;
         });
}

/// A rule that covers [begin, end), with native where the choice is taken back; without pieces that
/// no measurement supports.
std::vector<tables::Rule> cut(const tables::Rule& rule, Bytes end, const TakenBack& back) {
  const Bytes begin = rule.what.message;
  const bool met = rule.what.variant == back.what.variant && begin < back.to && back.from < end;
  if (!met) return {rule};
  std::vector<tables::Rule> pieces;
  const Bytes from = measured_in(rule, begin, back.from) ? std::max(begin, back.from) : begin;
  const Bytes to = measured_in(rule, back.to, end) ? back.to : end;
  if (begin < from) pieces.push_back(part_of(rule, begin, from));
  pieces.push_back(as_native(part_of(rule, from, to)));
  if (to < end) pieces.push_back(part_of(rule, to, end));
  return pieces;
}

/// The sizes that a cell stands for: as far as half way, by ratio, to its neighbours.
struct Range {
  Bytes from{0};
  Bytes to{std::numeric_limits<std::int64_t>::max()};
};

Bytes half_way(const Case& smaller, const Case& larger) {
  const auto element = extent(smaller.datatype);
  const double bytes = std::sqrt(static_cast<double>(smaller.message.value) *
                                 static_cast<double>(larger.message.value));
  const auto whole =
      static_cast<std::int64_t>(std::ceil(bytes / static_cast<double>(element.value)));
  return whole * element;
}

/// By problem, with equal counts for all.
std::map<Case, Range> ranges_of(const Verification& verification) {
  std::map<Case, Range> ranges;
  std::optional<Case> previous;
  for (const VerifiedCell& cell : verification.cells) {
    const Case problem = with_counts(cell.problem, Counts::equal);
    if (previous && *previous == problem) continue;  // with other counts
    Range& range = ranges[problem];
    if (previous && tuner::differ_in_size_alone(*previous, problem)) {
      range.from = half_way(*previous, problem);
      ranges[*previous].to = range.from;
    }
    previous = problem;
  }
  return ranges;
}

/// The cells of a rule, with one kind of counts.
struct Together {
  double log_speedup = 0;
  int cells = 0;
  [[nodiscard]] double mean() const { return std::exp(log_speedup / cells); }
};
using ByRule = std::map<std::pair<const tables::Rule*, Counts>, Together>;

/// The rules whose cells together were not found faster, with some counts.
ByRule unverified(const tables::Table& table, const Verification& verification) {
  ByRule rules;
  for (const VerifiedCell& cell : verification.cells) {
    if (!cell.changed()) continue;
    const Case& at = cell.problem;
    const tables::Rule* const rule = table.find_rule(at);
    if (rule == nullptr || rule->what.procs != at.procs) continue;
    Together& together = rules[{rule, at.counts}];
    together.log_speedup += std::log(cell.speedup.median);
    ++together.cells;
  }
  std::erase_if(rules, [](const auto& entry) { return entry.second.log_speedup > 0; });
  return rules;
}

std::string size_text(const Case& problem) {
  std::string text = moves_data(problem.collective) ? " at " + to_text(problem.message) : "";
  if (problem.counts != Counts::equal) {
    text += fmt::format(", {} counts", kCounts.of(problem.counts));
  }
  return text;
}

/// The cell that fails worst, or the result of all of the rule's cells.
std::string reason_of(const VerifiedCell* worst, const Together* together) {
  if (worst != nullptr) {
    return fmt::format("{:.2f} ({:.2f}-{:.2f}) times as fast as native{}", worst->speedup.median,
                       worst->speedup.low, worst->speedup.high, size_text(worst->problem));
  }
  return fmt::format("not faster than native: {:.2f} times in the geometric mean of {} size{}",
                     together->mean(), together->cells, together->cells == 1 ? "" : "s");
}

}  // namespace

std::vector<TakenBack> taken_back(const tables::Table& table, const Verification& verification) {
  const std::map<Case, Range> ranges = ranges_of(verification);
  const ByRule slow = unverified(table, verification);
  std::map<std::pair<const tables::Rule*, NodeLayout>, std::vector<const VerifiedCell*>> touched;
  for (const VerifiedCell& cell : verification.cells) {
    const Case& at = cell.problem;
    const tables::Rule* const rule = table.find_rule(at);
    if (rule == nullptr || !cell.changed()) continue;
    const bool with_all =
        std::ranges::any_of(slow, [&](const auto& entry) { return entry.first.first == rule; });
    if (cell.fails || with_all) touched[{rule, layout_of(at)}].push_back(&cell);
  }
  std::vector<TakenBack> all;
  for (const auto& [place, cells] : touched) {
    const VerifiedCell* worst = nullptr;
    for (const VerifiedCell* each : cells) {
      const bool worse = worst == nullptr || each->speedup.median < worst->speedup.median;
      if (each->fails && worse) worst = each;
    }
    const auto together = std::ranges::find_if(
        slow, [&](const auto& entry) { return entry.first.first == place.first; });
    const std::string reason =
        reason_of(worst, together == slow.end() ? nullptr : &together->second);
    for (const VerifiedCell* cell : cells) {
      const Case problem = with_counts(cell->problem, Counts::equal);
      const Range range = ranges.at(problem);
      all.push_back({.what = with_variant(problem, cell->choice),
                     .launches = cell->speedup.count,
                     .from = range.from,
                     .to = range.to,
                     .reason = reason});
    }
  }
  return all;
}

tables::Table with_default(tables::Table table, const TakenBack& back) {
  const Case& what = back.what;
  std::vector<tables::Rule> rules;
  bool measured = false;
  for (std::size_t i = 0; i < table.rules.size(); ++i) {
    const tables::Rule& rule = table.rules[i];
    if (!same_place(rule.what, what)) {
      rules.push_back(rule);
      continue;
    }
    const bool last = i + 1 == table.rules.size() || !same_place(table.rules[i + 1].what, what);
    const Bytes end =
        last ? Bytes{std::numeric_limits<std::int64_t>::max()} : table.rules[i + 1].what.message;
    for (tables::Rule& piece : cut(rule, end, back)) {
      const bool follows = !rules.empty() && same_place(rules.back().what, what);
      if (follows && rules.back().what.variant == piece.what.variant) continue;
      rules.push_back(std::move(piece));
    }
    measured = true;
  }
  if (!measured && tables::chosen(table, what).variant == what.variant) {
    const auto after = std::ranges::find_if(rules, [&](const tables::Rule& rule) {
      return tables::place_of(rule.what) > tables::place_of(what);
    });
    rules.insert(after, as_native({.what = what,
                                   .first_measured = what.message,
                                   .last_measured = what.message,
                                   .launches = back.launches}));
  }
  table.rules = std::move(rules);
  return table;
}

std::vector<std::string> lines_of(const std::vector<TakenBack>& all) {
  std::vector<std::string> lines;
  const TakenBack* first = nullptr;
  for (const TakenBack& each : all) {
    const bool same_rule = first != nullptr && first->reason == each.reason &&
                           same_place(first->what, each.what) &&
                           first->what.variant == each.what.variant;
    if (same_rule) continue;
    first = &each;
    lines.push_back(fmt::format(
        "{}, {}{}: not {}, which is {}", call_name(each.what.collective, each.what.form),
        procs_text(layout_of(each.what)),
        each.what.mapping == Mapping::seq ? "" : ", mapping " + to_text(each.what.mapping),
        to_text(each.what.variant), each.reason));
  }
  return lines;
}

}  // namespace breakeven::verify
