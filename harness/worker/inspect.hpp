// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "executor/communicator.hpp"
#include "harness/protocol/protocol.hpp"

namespace breakeven {

/// Collective. Lets every rank look for noise at the same time, and one on each node at the node
/// and at what else runs there.
/// @return on rank 0 the nodes, as their first ranks come; nothing elsewhere
[[nodiscard]] std::vector<NodeFacts> inspect(const InspectRequest& request,
                                             const Communicator& comm);

}  // namespace breakeven
