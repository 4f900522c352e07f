// SPDX-License-Identifier: BSD-3-Clause
#include "core/error.hpp"
#include "harness/worker/tasks.hpp"

namespace breakeven::worker {

std::vector<protocol::NodeFacts> inspect(const protocol::InspectRequest& /*request*/,
                                         const executor::Communicator& /*comm*/) {
  throw UsageError("a simulated platform has no nodes to look at");
}

}  // namespace breakeven::worker
