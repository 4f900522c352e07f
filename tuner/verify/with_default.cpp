// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/verify/with_default.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace breakeven::verify {

namespace {

bool same_place(const Case& one, const Case& other) {
  return std::tie(one.collective, one.mapping, one.procs) ==
         std::tie(other.collective, other.mapping, other.procs);
}

tuner::Rule native_rule(tuner::Rule rule, Bytes from) {
  rule.what.algorithm = kNative;
  rule.what.params.clear();
  rule.what.message = from;
  rule.requirement = kernels::kAnyProcs;
  rule.certainty = tuner::Certainty::undecided;
  rule.speedup.reset();
  return rule;
}

tuner::Rule beginning_at(tuner::Rule rule, Bytes from) {
  rule.what.message = from;
  return rule;
}

bool says_the_same(const tuner::Rule& one, const tuner::Rule& other) {
  return one.what.algorithm == other.what.algorithm && one.what.params == other.what.params;
}

/// A rule that covers [begin, end), with native between `from` and `to`.
std::vector<tuner::Rule> cut(const tuner::Rule& rule, Bytes end, Bytes from, Bytes to) {
  const Bytes begin = rule.what.message;
  if (to <= begin || from >= end) return {rule};
  std::vector<tuner::Rule> pieces;
  if (begin < from) pieces.push_back(rule);
  pieces.push_back(native_rule(rule, std::max(begin, from)));
  if (to < end) pieces.push_back(beginning_at(rule, to));
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

/// The rules whose cells together were not found faster, with some counts.
std::set<const tuner::Rule*> unverified(const tuner::Table& table,
                                        const Verification& verification) {
  std::map<std::pair<const tuner::Rule*, Counts>, double> log_speedup;
  for (const VerifiedCell& cell : verification.cells) {
    if (!cell.changed()) continue;
    const Case& at = cell.problem;
    const tuner::Rule* rule = table.find_rule(at.collective, at.procs, at.message, at.mapping);
    if (rule != nullptr && rule->what.procs == at.procs) {
      log_speedup[{rule, at.counts}] += std::log(cell.speedup.median);
    }
  }
  std::set<const tuner::Rule*> found;
  for (const auto& [cells, log] : log_speedup) {
    if (log <= 0) found.insert(cells.first);
  }
  return found;
}

}  // namespace

tuner::Table with_default(tuner::Table table, const Case& problem, Bytes from, Bytes to) {
  std::vector<tuner::Rule> rules;
  bool measured = false;
  for (std::size_t i = 0; i < table.rules.size(); ++i) {
    const tuner::Rule& rule = table.rules[i];
    if (!same_place(rule.what, problem)) {
      rules.push_back(rule);
      continue;
    }
    const bool last = i + 1 == table.rules.size() || !same_place(table.rules[i + 1].what, problem);
    const Bytes end =
        last ? Bytes{std::numeric_limits<std::int64_t>::max()} : table.rules[i + 1].what.message;
    for (tuner::Rule& piece : cut(rule, end, from, to)) {
      const bool follows = !rules.empty() && same_place(rules.back().what, problem);
      if (follows && says_the_same(rules.back(), piece)) continue;
      rules.push_back(std::move(piece));
    }
    measured = true;
  }
  if (!measured) {
    const auto after = std::ranges::find_if(rules, [&](const tuner::Rule& rule) {
      return std::tie(rule.what.collective, rule.what.mapping, rule.what.procs) >
             std::tie(problem.collective, problem.mapping, problem.procs);
    });
    rules.insert(after, native_rule({.what = problem,
                                     .first_measured = problem.message,
                                     .last_measured = problem.message},
                                    problem.message));
  }
  table.rules = std::move(rules);
  return table;
}

tuner::Table where_verified(tuner::Table table, const Verification& verification, int& rewritten) {
  const std::map<Case, Range> ranges = ranges_of(verification);
  const std::set<const tuner::Rule*> slow = unverified(table, verification);
  std::set<const tuner::Rule*> touched;
  std::vector<std::pair<Case, Range>> cuts;
  for (const VerifiedCell& cell : verification.cells) {
    const Case& at = cell.problem;
    const tuner::Rule* rule = table.find_rule(at.collective, at.procs, at.message, at.mapping);
    if (rule == nullptr || !cell.changed() || !(cell.fails || slow.contains(rule))) continue;
    touched.insert(rule);
    cuts.emplace_back(at, ranges.at(with_counts(at, Counts::equal)));
  }
  rewritten = static_cast<int>(touched.size());
  for (const auto& [at, range] : cuts) {
    table = with_default(std::move(table), at, range.from, range.to);
  }
  return table;
}

}  // namespace breakeven::verify
