// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/common/choices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>

namespace breakeven::formats {

namespace {

/// Above every size at which a library's algorithm begins to run as it is named.
constexpr Bytes kHuge{std::int64_t{1} << 45};

bool same(const tables::Choice& one, const tables::Choice& other) {
  return one.variant == other.variant;
}

bool same_sizes(const std::vector<SizeChoice>& one, const std::vector<SizeChoice>& other) {
  return std::ranges::equal(one, other, [](const SizeChoice& left, const SizeChoice& right) {
    return left.first == right.first && same(left.choice, right.choice);
  });
}

/// The rules for calls of a collective under one mapping, by measured p.
struct Part {
  tables::Table table{};
  std::map<int, std::vector<const tables::Rule*>> by_procs{};
  bool (*guards)(const libraries::LibraryAlgorithm& algorithm) = nullptr;

  /// The choice of a rule at all of these p; native where it differs.
  [[nodiscard]] tables::Choice follow(const tables::Rule& rule, const ProcsChoices& at,
                                      Bytes size) const {
    if (guards != nullptr) {
      const auto* const algorithm = libraries::find_library_algorithm(rule.what);
      if (algorithm != nullptr && guards(*algorithm)) size = kHuge;
    }
    const tables::Choice choice = choose(rule, at.last, size);
    // A choice that runs at a p, at the next and at the last one runs at all between them, unless
    // it needs a power of two: those stand alone.
    for (const int procs : {at.first, std::min(at.first + 1, at.last)}) {
      if (!same(choose(rule, procs, size), choice)) return {};
    }
    return choice;
  }
  [[nodiscard]] tables::Choice choose(const tables::Rule& rule, int procs, Bytes size) const {
    Case problem = rule.what;
    problem.procs = procs;
    problem.message = size;
    return table.follow(rule, problem);
  }
};

void add_sizes(const Part& part, const std::vector<const tables::Rule*>& rules, ProcsChoices& to) {
  const auto add = [&](Bytes first, const tables::Choice& choice) {
    if (to.sizes.empty() || !same(to.sizes.back().choice, choice))
      to.sizes.push_back({first, choice});
  };
  for (auto rule = rules.begin(); rule != rules.end(); ++rule) {
    const auto choose = [&](Bytes size) { return part.follow(**rule, to, size); };
    const auto next = std::next(rule);
    const Bytes last{(next == rules.end() ? kHuge : (*next)->what.message).value - 1};
    const tables::Choice at_last = choose(last);
    Bytes from = rule == rules.begin() ? Bytes{0} : (*rule)->what.message;
    add(from, choose(from));
    while (!same(to.sizes.back().choice, at_last)) {
      Bytes before = from;
      from = last;
      while (from.value - before.value > 1) {
        const Bytes middle{std::midpoint(before.value, from.value)};
        (same(choose(middle), to.sizes.back().choice) ? before : from) = middle;
      }
      add(from, choose(from));
    }
    for (const int procs : {to.first, std::min(to.first + 1, to.last), to.last}) {
      const tables::Choice alone = part.choose(**rule, procs, kHuge);
      if (!same(alone, choose(kHuge))) to.lost.insert(to_text((*rule)->what.variant));
    }
  }
}

/// The numbers of processes from the first to the last, in parts around the measured one.
std::vector<ProcsChoices> cut(int first, int measured, int last) {
  const auto above = [&](int procs) {
    return static_cast<int>(std::min<double>(last, procs * kProcsError));
  };
  const auto below = [](int procs) { return static_cast<int>(std::ceil(procs / kProcsError)); };
  std::vector<ProcsChoices> parts{{std::max(first, below(measured)), above(measured), measured}};
  while (parts.front().first > first) {
    const int end = parts.front().first - 1;
    const int procs = std::max(first, below(end));
    parts.insert(parts.begin(), {std::max(first, below(procs)), end, procs});
  }
  while (parts.back().last < last) {
    const int begin = parts.back().last + 1;
    const int procs = above(begin);
    parts.push_back({begin, above(procs), procs});
  }
  return parts;
}

/// Cuts one of these again where single numbers of processes are decided otherwise.
void add_parts(const Part& part, const std::vector<const tables::Rule*>& rules,
               const ProcsChoices& whole, std::vector<ProcsChoices>& all) {
  std::set<int> begins{whole.first, whole.procs, whole.procs + 1};
  for (auto power = std::bit_ceil(static_cast<std::uint64_t>(whole.first));
       std::cmp_less_equal(power, whole.last); power *= 2) {
    begins.insert({static_cast<int>(power), static_cast<int>(power) + 1});
  }
  const std::size_t before = all.size();
  for (auto begin = begins.begin(); begin != begins.end() && *begin <= whole.last; ++begin) {
    const auto end = std::next(begin);
    ProcsChoices next{.first = *begin,
                      .last = end == begins.end() ? whole.last : std::min(whole.last, *end - 1)};
    add_sizes(part, rules, next);
    ProcsChoices least{.first = next.first, .last = next.first};
    add_sizes(part, rules, least);
    next.begins_vary = next.lost.empty() && !same_sizes(least.sizes, next.sizes);
    if (all.size() > before && same_sizes(all.back().sizes, next.sizes)) {
      all.back().last = next.last;
      all.back().lost.merge(next.lost);
      all.back().begins_vary |= next.begins_vary;
    } else {
      all.push_back(std::move(next));
    }
    all.back().procs = std::clamp(whole.procs, all.back().first, all.back().last);
  }
}

}  // namespace

std::vector<ProcsChoices> choices_of(const tables::Table& table, Collective collective,
                                     CallForm form, const Mapping& mapping,
                                     bool (*guards)(const libraries::LibraryAlgorithm& algorithm)) {
  Part part{.table = {.candidates = tables::Candidates::library,
                      .datatype = table.datatype,
                      .op = table.op},
            .guards = guards};
  std::ranges::copy_if(table.rules, std::back_inserter(part.table.rules),
                       [&](const tables::Rule& rule) {
                         return tables::key_of(rule.what) == std::tie(collective, form, mapping);
                       });
  for (const tables::Rule& rule : part.table.rules) part.by_procs[rule.what.procs].push_back(&rule);
  std::vector<ProcsChoices> all;
  for (auto at = part.by_procs.begin(); at != part.by_procs.end(); ++at) {
    const auto next = std::next(at);
    const int first = all.empty() ? at->first : all.back().last + 1;
    // Of two equal ratios the smaller p is nearer.
    const int last = next == part.by_procs.end()
                         ? at->first
                         : static_cast<int>(std::sqrt(std::int64_t{at->first} * next->first));
    for (const ProcsChoices& whole : cut(first, at->first, last)) {
      add_parts(part, at->second, whole, all);
    }
  }
  const bool nothing_chosen = std::ranges::all_of(all, [](const ProcsChoices& each) {
    return std::ranges::all_of(
        each.sizes, [](const SizeChoice& size) { return size.choice.variant.is<Native>(); });
  });
  if (nothing_chosen) all.clear();
  return all;
}

std::vector<std::string> approximate_lines(const tables::Table& table,
                                           const std::set<Collective>& collectives) {
  std::map<Collective, std::optional<double>> costs;
  for (const Collective collective : collectives) costs[collective] = 1;
  for (const tables::Rule& rule : table.rules) {
    const auto cost = costs.find(rule.what.collective);
    if (cost == costs.end()) continue;
    const auto worse = [&](std::optional<double> ratio) {
      cost->second =
          ratio && cost->second ? std::optional{std::max(*ratio, *cost->second)} : std::nullopt;
    };
    if (rule.previous < rule.first_measured) {
      worse(rule.steepness ? std::optional{std::pow(kProcsError, *rule.steepness)} : std::nullopt);
    }
    // A choice that needs more bytes at a greater p is left to the library too long.
    Case smallest = rule.what;
    smallest.message = {0};
    if (!smallest.variant.is<LibraryOwn>() || !libraries::refusal(smallest)) continue;
    for (const tables::SizeGain& gain : rule.gains) worse(gain.speedup.ratio);
    if (rule.gains.empty()) worse(std::nullopt);
  }
  if (costs.empty()) return {};
  std::vector<std::string> lines{
      fmt::format("At a p that was not measured, choices begin within a factor of {:.2f} of the "
                  "sizes at which",
                  kProcsError),
      "they begin in the table. By the times measured near these sizes the wrong choice costs",
      "at most this factor of time:"};
  for (const auto& [collective, cost] : costs) {
    lines.push_back(fmt::format("  {} {}", kCollectives.of(collective),
                                cost ? fmt::format("{:.2f}", *cost) : "not known"));
  }
  return lines;
}

std::vector<std::string> lost_lines(std::string_view call, const std::vector<ProcsChoices>& all) {
  std::map<std::string, std::vector<Range>> lost;
  for (const ProcsChoices& each : all) {
    for (const std::string& variant : each.lost) lost[variant].push_back({each.first, each.last});
  }
  std::vector<std::string> lines;
  for (const auto& [variant, procs] : lost) {
    lines.push_back(
        fmt::format("{}: {} is left to the library at p = {}, where it runs at some "
                    "of the unmeasured p alone",
                    call, variant, to_text(procs)));
  }
  return lines;
}

std::vector<Case> single_choices(const tables::Table& table, std::vector<std::string>& degraded) {
  std::map<std::pair<Collective, CallForm>, std::set<Variant>> choices;
  for (const tables::Rule& rule : table.rules) {
    choices[{rule.what.collective, rule.what.form}].insert(rule.what.variant);
  }
  std::vector<Case> single;
  for (const auto& [call, variants] : choices) {
    const auto [collective, form] = call;
    if (variants.size() > 1) {
      degraded.push_back(
          fmt::format("{}: skipped: a variable can name only one algorithm, "
                      "and the table has several",
                      call_name(collective, form)));
    } else if (!variants.begin()->is<Native>()) {
      single.push_back({.collective = collective, .form = form, .variant = *variants.begin()});
    }
  }
  return single;
}

std::string choice_at(const Case& choice) {
  return fmt::format("{} p = {}, mapping {}, at {}: {}", call_name(choice.collective, choice.form),
                     choice.procs, to_text(choice.mapping), to_text(choice.message),
                     to_text(choice.variant));
}

ContainedTable contained_in(std::span<const ReadTable> files, tables::Table table) {
  ContainedTable contained{.table = std::move(table)};
  if (files.empty()) return contained;
  for (tables::Rule& rule : contained.table.rules) {
    if (rule.what.variant.is<Native>()) continue;
    Case what = rule.what;
    what.message = rule.first_measured;
    if (std::ranges::any_of(files, [&](const ReadTable& each) {
          return each.answer && each.answer(what).variant == what.variant;
        })) {
      continue;
    }
    contained.missing.push_back(choice_at(what));
    rule.what.variant = Native{};
    rule.certainty = tables::Certainty::undecided;
    rule.near_best = 0;
    rule.rivals.clear();
    rule.decided_sizes = 0;
    rule.speedup.reset();
    rule.gains.clear();
  }
  return contained;
}

}  // namespace breakeven::formats
