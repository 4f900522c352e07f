// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "executor/communicator.hpp"
#include "harness/protocol/protocol.hpp"

namespace breakeven::worker {

/// Collective. Lets every rank look for noise at the same time, and one on each node at the node
/// and at what else runs there.
/// @return on rank 0 the nodes, as their first ranks come; nothing elsewhere
[[nodiscard]] std::vector<protocol::NodeFacts> inspect(const protocol::InspectRequest& request,
                                                       const executor::Communicator& comm);

}  // namespace breakeven::worker
