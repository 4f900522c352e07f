// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "harness/launch/job.hpp"
#include "harness/protocol/clock_events.hpp"

namespace breakeven::session {

/// What was seen of one method's clocks.
struct WatchedClock {
  protocol::ClockSynced synced{};
  std::vector<protocol::ClockOffset> offsets{};  ///< of every rank but 0, reading by reading
};

/// Synchronises the clocks of a job by each method, and watches them.
/// @throws UsageError when no job can be started or placed so; Error when it doesn't come to its
/// end.
[[nodiscard]] std::vector<WatchedClock> watch_clocks(const launch::Library& library,
                                                     const NodeLayout& layout,
                                                     const protocol::ClocksRequest& request);

}  // namespace breakeven::session
