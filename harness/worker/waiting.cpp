// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/waiting.hpp"

#include <sched.h>

namespace breakeven {

void yield_core(Seconds /*left*/, bool cores_are_shared) {
  if (cores_are_shared) sched_yield();
}

}  // namespace breakeven
