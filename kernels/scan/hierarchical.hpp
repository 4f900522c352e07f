// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/problem.hpp"
#include "kernels/schedule.hpp"

namespace breakeven::kernels::scan {

/// The schedule of a scan or an exscan, whichever the problem asks for.
[[nodiscard]] Schedule on_nodes(const Problem& problem);

}  // namespace breakeven::kernels::scan
