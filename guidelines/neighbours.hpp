// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>
#include <vector>

#include "guidelines/comparison.hpp"

namespace breakeven::guidelines {

/// The library's own collective at one value and at the next larger one.
using Neighbours = std::vector<std::pair<const stats::CaseTimes*, const stats::CaseTimes*>>;

/// Of message sizes, all else being equal.
[[nodiscard]] Neighbours neighbours_in_size(const Problems& problems);
/// Of process counts on as many nodes, all else being equal.
[[nodiscard]] Neighbours neighbours_in_procs(const Problems& problems);

}  // namespace breakeven::guidelines
