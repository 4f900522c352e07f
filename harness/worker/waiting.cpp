// SPDX-License-Identifier: BSD-3-Clause
#include <sched.h>

#include "harness/worker/start/appointment.hpp"

namespace breakeven {

void give_way(Seconds /*left*/, bool cores_are_shared) {
  if (cores_are_shared) sched_yield();
}

}  // namespace breakeven
