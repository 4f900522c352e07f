// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "harness/clock_events.hpp"

namespace breakeven {

/// What was seen of one method's clocks.
struct WatchedClock {
  ClockSynced synced{};
  std::vector<ClockOffset> offsets{};  ///< of every rank but 0, reading by reading
};

/// A table for people: how long synchronising took, and how wrong the clocks were right after it
/// and at the end; the drift between the two.
[[nodiscard]] std::string clocks_table(const std::vector<WatchedClock>& clocks);

/// One line for each offset, under a line of names; seconds with all their digits.
[[nodiscard]] std::string clocks_csv(const std::vector<WatchedClock>& clocks);

}  // namespace breakeven
