// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <vector>

#include "tuner/table.hpp"

namespace breakeven {

/// The same choice from a size on, up to the next one's.
struct SizeChoice {
  Bytes first{};
  Choice choice{};
};

/// The sizes at which rules of a collective begin under a mapping, at whatever p; 0 among them.
[[nodiscard]] std::set<Bytes> rule_starts(const Table& table, Collective collective,
                                          const Mapping& mapping);

/// What `Table::choose` says of a collective at a p for every size, from 0 bytes on; neighbours
/// differ. Within a rule an algorithm may begin or cease to run as it is named: such sizes are
/// found by bisection.
/// @param starts  of `rule_starts`
[[nodiscard]] std::vector<SizeChoice> size_choices(const Table& table, Collective collective,
                                                   int procs, const Mapping& mapping,
                                                   const std::set<Bytes>& starts);

}  // namespace breakeven
