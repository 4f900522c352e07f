// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <simgrid/s4u/Actor.hpp>

#include "harness/worker/start/scheduled_start.hpp"

namespace breakeven::worker {

void yield_core(Seconds left, bool /*cores_are_shared*/) {
  constexpr double kLeast = 1e-12;  // a sum of times may stay below the moment by a rounding error
  simgrid::s4u::this_actor::sleep_for(std::max(left.value, kLeast));
}

}  // namespace breakeven::worker
