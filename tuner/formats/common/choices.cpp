// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/formats/common/choices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>

#include "core/error.hpp"

namespace breakeven::formats {

namespace {

/// Of some 7 kB each.
constexpr int kMostProcs = 16384;

/// Above every size at which a library's algorithm begins to run as it is named.
constexpr Bytes kHuge{std::int64_t{1} << 45};

bool same(const tuner::Choice& one, const tuner::Choice& other) {
  return one.algorithm == other.algorithm && one.params == other.params;
}

/// @param starts  sizes at which rules begin, at whatever p; 0 among them
std::vector<SizeChoice> size_choices(const tuner::Table& table, Collective collective, int procs,
                                     const Mapping& mapping, const std::set<Bytes>& starts) {
  const auto choose = [&](Bytes size) { return table.choose(collective, procs, size, mapping); };
  std::vector<SizeChoice> choices;
  const auto add = [&](Bytes first, const tuner::Choice& choice) {
    if (choices.empty() || !same(choices.back().choice, choice)) choices.push_back({first, choice});
  };
  for (auto start = starts.begin(); start != starts.end(); ++start) {
    const auto next = std::next(start);
    const Bytes last{(next == starts.end() ? kHuge : *next).value - 1};
    const tuner::Choice at_last = choose(last);
    Bytes from = *start;
    add(from, choose(from));
    while (!same(choices.back().choice, at_last)) {
      Bytes before = from;
      from = last;
      while (from.value - before.value > 1) {
        const Bytes middle{std::midpoint(before.value, from.value)};
        (same(choose(middle), choices.back().choice) ? before : from) = middle;
      }
      add(from, choose(from));
    }
  }
  return choices;
}

}  // namespace

std::vector<ProcsChoices> choices_of(const tuner::Table& table, Collective collective,
                                     const Mapping& mapping) {
  std::set<int> measured;
  std::set<Bytes> starts{Bytes{0}};
  for (const tuner::Rule& rule : table.rules) {
    if (rule.what.collective != collective || rule.what.mapping != mapping) continue;
    measured.insert(rule.what.procs);
    starts.insert(rule.what.message);
  }
  if (measured.empty()) return {};
  if (*measured.rbegin() > kMostProcs) {
    throw UsageError(
        fmt::format("{} was measured at p = {}: a file that says every p would be too "
                    "large above {}",
                    kCollectives.of(collective), *measured.rbegin(), kMostProcs));
  }
  std::vector<ProcsChoices> all;
  for (int procs = *measured.begin(); procs <= *measured.rbegin(); ++procs) {
    all.push_back({procs, size_choices(table, collective, procs, mapping, starts)});
  }
  const bool nothing_chosen = std::ranges::all_of(all, [](const ProcsChoices& each) {
    return std::ranges::all_of(
        each.sizes, [](const SizeChoice& size) { return size.choice.algorithm == kNative; });
  });
  if (nothing_chosen) all.clear();
  return all;
}

std::string choice_at(const Case& problem, std::string_view choice) {
  return fmt::format("{} p = {}, mapping {}, at {}: {}", kCollectives.of(problem.collective),
                     problem.procs, to_text(problem.mapping), to_text(problem.message), choice);
}

ContainedTable contained_in(std::span<const ReadTable> files, tuner::Table table) {
  ContainedTable contained{.table = std::move(table)};
  if (files.empty()) return contained;
  for (tuner::Rule& rule : contained.table.rules) {
    if (rule.what.algorithm == kNative) continue;
    Case what = rule.what;
    what.message = rule.first_measured;
    const std::string choice = variant_text(what);
    if (std::ranges::any_of(files, [&](const ReadTable& each) {
          return each.answer && each.answer(what).variant == choice;
        })) {
      continue;
    }
    contained.missing.push_back(choice_at(what, choice));
    rule.what.algorithm = kNative;
    rule.what.params.clear();
    rule.certainty = tuner::Certainty::undecided;
    rule.near_best = 0;
    rule.rivals.clear();
    rule.decided_sizes = 0;
    rule.speedup.reset();
    rule.gains.clear();
  }
  return contained;
}

}  // namespace breakeven::formats
