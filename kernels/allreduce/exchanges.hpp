// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "core/units.hpp"
#include "kernels/schedule.hpp"

namespace breakeven::kernels::allreduce {

/// Writes one rank's schedule for algorithms that pass whole vectors, round by round, and keeps
/// where the rank has what it has reduced so far: its part.
class Exchanges {
 public:
  explicit Exchanges(Rank me) : me_{me} {}

  /// Appends a round: sends the rank's part to all of `to` and receives those of `from`, at once;
  /// then reduces the parts of `from` in this order, which is the rank's part from now on.
  ///
  /// The rank itself may be among both: nothing is sent, and its own part is reduced in its turn.
  /// @pre `from` isn't empty
  void step(const std::vector<Rank>& from, const std::vector<Rank>& to);

  /// The schedule, with the result in the output.
  [[nodiscard]] Schedule done() &&;

 private:
  Rank me_;
  Location part_ = input(0);
  Schedule schedule_{};
};

}  // namespace breakeven::kernels::allreduce
