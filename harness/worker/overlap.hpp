// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/measurement.hpp"
#include "core/units.hpp"
#include "harness/worker/candidate.hpp"

namespace breakeven::worker {

/// Arithmetic that takes a given time while nothing else uses the core.
class Work {
 public:
  /// Measures how fast this rank's core is.
  explicit Work(Seconds length);
  [[nodiscard]] Seconds length() const { return length_; }

  /// All of it.
  void operator()() const { perform(steps_); }
  /// All of it, with a call of `test` after every so much time.
  void operator()(Seconds every, const std::function<bool()>& test) const;

 private:
  static void perform(std::int64_t steps);

  Seconds length_;
  double steps_per_second_;
  std::int64_t steps_;
};

/// Collective. Makes some repetitions of `run`, each followed by `after` outside of the time.
/// Durations of the slowest rank, at rank 0 alone.
using Repeat = std::function<std::vector<double>(const std::function<void()>& run,
                                                 const std::function<void()>& after)>;

/// Collective. Measures the parts of a call that returns before it is complete, in turns, since
/// machines have slow phases.
/// @return at rank 0; nothing where no repetition of some part was valid
[[nodiscard]] std::optional<Overlap> measure_overlap(const BoundCandidate& bound, const Work& work,
                                                     Seconds test_every, const Repeat& repeat);

}  // namespace breakeven::worker
