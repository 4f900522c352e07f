// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <ctime>

#include "core/synchronisation.hpp"

namespace breakeven::worker {

/// CLOCK_MONOTONIC in nanoseconds: one clock for all processes of a node.
[[nodiscard]] inline std::int64_t monotonic_ns() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t{1'000'000'000} * time.tv_sec + time.tv_nsec;
}

/// A test's change to a rank's clock, so that the clocks of one node differ by a known amount.
struct ClockFault {
  double offset_s = 0;
  double drift = 0;  ///< seconds per second
};

/// A rank's own clock: seconds since a moment early in this process, so that doubles resolve far
/// less than a nanosecond. The clocks of two ranks never agree, not even on one node.
class LocalClock {
 public:
  /// The first one of a process defines the moment from which all of them count.
  explicit LocalClock(Timer timer, ClockFault fault = {});

  [[nodiscard]] double now() const {
    return faulty(timer_ == Timer::monotonic ? since_origin(monotonic_ns())
                                             : MPI_Wtime() - origin_.wtime);
  }
  /// Its time at a moment of the node's CLOCK_MONOTONIC, past or to come: exact on a monotonic
  /// timer, within some 100 ns on MPI_Wtime.
  [[nodiscard]] double at(std::int64_t moment_ns) const { return faulty(since_origin(moment_ns)); }

 private:
  /// The same moment on both timers.
  struct Origin {
    std::int64_t monotonic_ns = 0;
    double wtime = 0;
  };
  [[nodiscard]] static Origin take_origin();
  [[nodiscard]] double since_origin(std::int64_t moment_ns) const {
    return 1e-9 * static_cast<double>(moment_ns - origin_.monotonic_ns);
  }
  [[nodiscard]] double faulty(double time) const {
    return time + (fault_.offset_s + fault_.drift * time);
  }

  Timer timer_;
  ClockFault fault_;
  Origin origin_;
};

}  // namespace breakeven::worker
