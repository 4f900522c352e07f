// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "harness/doctor/examine.hpp"
#include "harness/launch/job.hpp"
#include "harness/protocol/protocol.hpp"

// Jobs that only look.
namespace breakeven::session {

/// Starts a job that only reports the places of its ranks.
/// @throws UsageError when it fails.
[[nodiscard]] protocol::JobInfo where_ranks_are(const launch::ChildProcess::Command& command,
                                                Seconds patience);

/// Examines every node of a job of that layout, with all its ranks, and this host.
/// @param patience  silence after which the job counts as hung
/// @throws UsageError when the job can't be started or placed so.
[[nodiscard]] doctor::Examination examine_job(const launch::Library& library,
                                              const launch::JobLayout& layout, Seconds patience);

/// The observations of one method's clocks.
struct WatchedClock {
  protocol::ClockSynced synced{};
  std::vector<protocol::ClockOffset> offsets{};  ///< of every rank but 0, reading after reading
};

/// Synchronises the clocks of a job by each method, and watches them.
/// @throws UsageError when no job can be started or placed so; Error when it does not end well.
[[nodiscard]] std::vector<WatchedClock> watch_clocks(const launch::Library& library,
                                                     const NodeLayout& layout,
                                                     const protocol::ClocksRequest& request);

}  // namespace breakeven::session
