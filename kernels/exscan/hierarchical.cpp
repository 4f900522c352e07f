// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/scan/hierarchical.hpp"

#include "kernels/exscan/algorithms.hpp"

namespace breakeven::kernels::exscan {

/// As the scan of this name, with an exscan on each node; the last rank adds its own vector for the
/// node's combination.
const Algorithm hierarchical{.name = "hierarchical",
                             .requirement = kAnyProcs,
                             .order_preserving = true,
                             .reorderable = false,
                             .build = scan::on_nodes,
                             .source = "[sanders2006] 3"};

}  // namespace breakeven::kernels::exscan
