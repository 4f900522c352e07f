// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "core/case.hpp"
#include "tuner/table.hpp"

namespace breakeven::tuner {

/// Whether a table of this kind may choose the case's algorithm.
[[nodiscard]] bool is_candidate(Candidates of, const Case& what);

/// The measurements that a table may be made from.
/// @throws UsageError as `make_table` does, unless they all fit into one table.
[[nodiscard]] std::vector<Measurement> select(std::span<const Measurement> measurements,
                                              const TableKey& which);

}  // namespace breakeven::tuner
