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

/// The lead of a clock over another one, as a straight line over its own time. Times are in
/// seconds, the slope in seconds per second; by default both agree.
struct ClockModel {
  double slope = 0;
  double intercept = 0;

  /// The other clock's time when this one shows `own`.
  [[nodiscard]] double other(double own) const { return own - (intercept + slope * own); }
  /// This clock's time when the other one shows `other`.
  [[nodiscard]] double own(double other) const { return (other + intercept) / (1 - slope); }
};

/// The model of A against C, from those of A against B and of B against C.
[[nodiscard]] constexpr ClockModel chained(const ClockModel& a_b, const ClockModel& b_c) {
  return {.slope = a_b.slope + b_c.slope * (1 - a_b.slope),
          .intercept = a_b.intercept + b_c.intercept - b_c.slope * a_b.intercept};
}

/// A rank's estimate of rank 0's clock: its own one, corrected by a model.
class GlobalClock {
 public:
  /// Not synchronised: it shows the local time.
  explicit GlobalClock(const LocalClock& local) : local_{local} {}
  GlobalClock(const LocalClock& local, const ClockModel& model)
      : local_{local}, model_{model}, synchronised_{true} {}

  [[nodiscard]] double now() const { return model_.other(local_.now()); }
  /// The global time of a reading of the local clock.
  [[nodiscard]] double global(double local) const { return model_.other(local); }
  /// The local clock's time at a global time.
  [[nodiscard]] double local(double global) const { return model_.own(global); }

  [[nodiscard]] const LocalClock& local_clock() const { return local_; }
  [[nodiscard]] const ClockModel& model() const { return model_; }
  /// Whether other ranks can compare its times with theirs.
  [[nodiscard]] bool synchronised() const { return synchronised_; }

 private:
  LocalClock local_;
  ClockModel model_{};
  bool synchronised_ = false;
};

}  // namespace breakeven::worker
