// SPDX-License-Identifier: BSD-3-Clause
#include <sched.h>

#include "harness/worker/start/scheduled_start.hpp"

namespace breakeven::worker {

void yield_core(Seconds /*left*/, bool cores_are_shared) {
  if (cores_are_shared) sched_yield();
}

}  // namespace breakeven::worker
