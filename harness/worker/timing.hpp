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
  /// What the run time of a repetition is.
  [[nodiscard]] const std::vector<double>& of(RunTime run_time) const {
    return run_time == RunTime::local ? local : global;
  }
};

/// What is repeated.
struct Repetition {
  std::function<void()> before{};  ///< the ranks wait for each other: outside the time
  std::function<void()> run{};     ///< what is timed
  std::function<void()> after{};   ///< outside the time
};

/// Times repetitions as a plan says: how they begin together, and by which clocks.
class Timing {
 public:
  /// Collective: synchronises the clocks.
  Timing(const protocol::MeasurePlan& plan, const executor::Communicator& control);

  /// Collective. Makes so many repetitions and gives those that are valid.
  /// @param expected  how long one takes without the wait for its beginning, at rank 0
  [[nodiscard]] Repetitions repeat(int count, Seconds expected, const Repetition& repetition);

  /// A repetition of the last block at this rank, on average: all but the wait for its beginning.
  [[nodiscard]] Seconds work() const { return work_; }

  /// Rank-local seconds, for what takes longer than a repetition.
  [[nodiscard]] double now() const { return local_.now(); }

 private:
  const executor::Communicator& control_;
  LocalClock local_;
  GlobalClock clock_;
  std::unique_ptr<Start> start_;
  Seconds work_{};
};

}  // namespace breakeven::worker
