// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "harness/worker/clock/local_clock.hpp"

namespace breakeven::worker {

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
