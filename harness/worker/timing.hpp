// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "harness/protocol/measure_plan.hpp"
#include "harness/worker/clock/global_clock.hpp"
#include "harness/worker/start/start.hpp"

namespace breakeven::worker {

/// Repetitions that began and ended in time at every rank, in the order measured; in seconds.
struct Repetitions {
  std::vector<double> own{};     ///< this rank's durations
  std::vector<double> local{};   ///< the slowest rank's; at rank 0 alone, as is `global`
  std::vector<double> global{};  ///< first start to last end; empty without a global clock

  void append(const Repetitions& more);
  void drop_first(std::size_t count);
  /// The run time of each repetition.
  [[nodiscard]] const std::vector<double>& of(RunTime run_time) const {
    return run_time == RunTime::local ? local : global;
  }
};

/// The parts of a repetition.
struct Repetition {
  std::function<void()> before{};  ///< before the ranks wait for each other: outside the time
  std::function<void()> run{};     ///< the timed part
  std::function<void()> after{};   ///< outside the time
};

/// Times repetitions by a plan: by its way to begin together, and its clocks.
class Timing {
 public:
  /// Collective: synchronises the clocks.
  Timing(const protocol::MeasurePlan& plan, const executor::Communicator& control);

  /// Collective. Makes `count` repetitions and returns the valid ones.
  /// @param expected  time of one without the wait for its beginning, at rank 0
  [[nodiscard]] Repetitions repeat(int count, Seconds expected, const Repetition& repetition);

  /// Mean time of the last block's repetitions at this rank, without the wait for their beginning.
  [[nodiscard]] Seconds work() const { return work_; }

  /// Rank-local seconds, for longer times than a repetition.
  [[nodiscard]] double now() const { return local_.now(); }

 private:
  const executor::Communicator& control_;
  LocalClock local_;
  GlobalClock clock_;
  std::unique_ptr<Start> start_;
  Seconds work_{};
};

}  // namespace breakeven::worker
