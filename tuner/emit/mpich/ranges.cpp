// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/emit/mpich/ranges.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace breakeven::mpich {

namespace {

constexpr Bytes kLargest{std::int64_t{1} << 40};

bool same(const Choice& one, const Choice& other) {
  return one.algorithm == other.algorithm && one.params == other.params;
}

/// Sizes within a rule at which its algorithm begins or ceases to run as it is named lie between
/// the sizes at which rules begin: they are found by bisection.
std::vector<SizeRange> sizes_of(const Table& table, Collective collective, int procs,
                                const Mapping& mapping, const std::set<Bytes>& starts) {
  const auto choose = [&](Bytes size) { return table.choose(collective, procs, size, mapping); };
  std::vector<SizeRange> ranges;
  const auto add = [&](Bytes first, const Choice& choice) {
    if (ranges.empty() || !same(ranges.back().choice, choice)) ranges.push_back({first, choice});
  };
  for (auto start = starts.begin(); std::next(start) != starts.end(); ++start) {
    const Bytes last{std::next(start)->value - 1};
    const Choice at_last = choose(last);
    Bytes from = *start;
    add(from, choose(from));
    while (!same(ranges.back().choice, at_last)) {
      Bytes before = from;
      from = last;
      while (from.value - before.value > 1) {
        const Bytes middle{std::midpoint(before.value, from.value)};
        (same(choose(middle), ranges.back().choice) ? before : from) = middle;
      }
      add(from, choose(from));
    }
  }
  return ranges;
}

}  // namespace

std::vector<ProcsChoices> choices_of(const Table& table, Collective collective,
                                     const Mapping& mapping) {
  std::set<int> measured;
  std::set<Bytes> starts{Bytes{0}, kLargest};
  for (const Rule& rule : table.rules) {
    if (rule.what.collective != collective || rule.what.mapping != mapping) continue;
    measured.insert(rule.what.procs);
    starts.insert(rule.what.message);
  }
  if (measured.empty()) return {};
  std::vector<ProcsChoices> all;
  for (int procs = *measured.begin(); procs <= *measured.rbegin(); ++procs) {
    all.push_back({procs, sizes_of(table, collective, procs, mapping, starts)});
  }
  const bool nothing_chosen = std::ranges::all_of(all, [](const ProcsChoices& each) {
    return std::ranges::all_of(
        each.sizes, [](const SizeRange& range) { return range.choice.algorithm == kNative; });
  });
  if (nothing_chosen) all.clear();
  return all;
}

}  // namespace breakeven::mpich
