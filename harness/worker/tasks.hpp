// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "executor/communicator.hpp"
#include "harness/protocol/protocol.hpp"

namespace breakeven::worker {

// A worker's tasks besides measuring cases; a file each.

/// Collective. The places of the ranks, their library and processor; for rank 0 alone.
[[nodiscard]] protocol::JobInfo job_info(const executor::Communicator& comm);

/// Collective, some 60 ms. Measures the machine without collectives; the times are rank 0's.
/// Arithmetic and copies are the mean over the ranks, which all work at once: other work on their
/// cores slows them. Ping-pongs are medians.
[[nodiscard]] protocol::Calibrated calibrate(const executor::Communicator& comm);

/// Collective. Every rank looks for noise at the same time; one on each node reads the facts about
/// the node and its load.
/// @return on rank 0 the nodes, in the order of their first ranks; nothing elsewhere
[[nodiscard]] std::vector<protocol::NodeFacts> inspect(const protocol::InspectRequest& request,
                                                       const executor::Communicator& comm);

/// Collective. Synchronises clocks by each method in turn, then reads every rank's offset 20 times
/// over the duration: one reading serves all methods, so that they are compared on equal terms.
/// @param emit  gets a ClockSynced for each method, and ClockOffsets of every rank but 0 right
///              after it and at every reading; called on every rank, with the facts on rank 0
/// @throws Error when MPI fails.
void watch_clocks(const protocol::ClocksRequest& request, const executor::Communicator& comm,
                  const std::function<void(const protocol::WorkerEvent&)>& emit);

/// Ends every rank with this exit status, after one line on standard error, "PROGRAM: rank 3:
/// WORDS", written at once so that the lines of several ranks stay apart.
[[noreturn]] void abort_all(std::string_view program, std::string_view words, int status);

}  // namespace breakeven::worker
