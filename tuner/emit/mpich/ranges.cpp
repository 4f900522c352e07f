// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/emit/mpich/ranges.hpp"

#include <algorithm>
#include <set>

namespace breakeven::mpich {

std::vector<ProcsChoices> choices_of(const Table& table, Collective collective,
                                     const Mapping& mapping) {
  std::set<int> measured;
  for (const Rule& rule : table.rules) {
    if (rule.what.collective == collective && rule.what.mapping == mapping) {
      measured.insert(rule.what.procs);
    }
  }
  if (measured.empty()) return {};
  const std::set<Bytes> starts = rule_starts(table, collective, mapping);
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

}  // namespace breakeven::mpich
