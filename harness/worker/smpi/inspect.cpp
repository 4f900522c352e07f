// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/inspect.hpp"

#include "core/error.hpp"

namespace breakeven {

std::vector<NodeFacts> inspect(const InspectRequest& /*request*/, const Communicator& /*comm*/) {
  throw UsageError("a simulated platform has no nodes to look at");
}

}  // namespace breakeven
