// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "tuner/table.hpp"

namespace breakeven {

/// Whether a table of this kind may choose the case's algorithm.
[[nodiscard]] bool is_candidate(Candidates of, const Case& what);

/// "openmpi:reduce/binomial": how `TableKey::allowed_unsafe` calls the case's algorithm.
[[nodiscard]] std::string unsafe_name(Case what);
/// Whether a table for a library may choose the case's algorithm.
[[nodiscard]] bool is_safe(const Case& what, const std::set<std::string, std::less<>>& allowed);

/// The measurements that a table may be made from.
/// @throws UsageError as `make_table` does, unless they all fit into one table.
[[nodiscard]] std::vector<Measurement> select(std::span<const Measurement> measurements,
                                              const TableKey& which);

}  // namespace breakeven
