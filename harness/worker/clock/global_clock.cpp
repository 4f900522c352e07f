// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/clock/global_clock.hpp"

#include <limits>

namespace breakeven::worker {

/// MPI_Wtime between two readings of CLOCK_MONOTONIC, as close together as a few attempts get them.
LocalClock::Origin LocalClock::take_origin() {
  constexpr int kAttempts = 20;
  Origin origin;
  std::int64_t closest = std::numeric_limits<std::int64_t>::max();
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const std::int64_t before = monotonic_ns();
    const double wtime = MPI_Wtime();
    const std::int64_t apart = monotonic_ns() - before;
    if (apart >= closest) continue;
    closest = apart;
    origin = {.monotonic_ns = before + apart / 2, .wtime = wtime};
  }
  return origin;
}

LocalClock::LocalClock(Timer timer, ClockFault fault) : timer_{timer}, fault_{fault} {
  static const Origin origin = take_origin();
  origin_ = origin;
}

}  // namespace breakeven::worker
