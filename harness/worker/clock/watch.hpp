// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "executor/communicator.hpp"
#include "harness/protocol/protocol.hpp"

namespace breakeven::worker {

/// Collective. Synchronises clocks by each method in turn, then reads every rank's offset 20 times
/// over the duration: one reading serves all methods, so that they are compared on equal terms.
/// @param emit  gets a ClockSynced for each method, and ClockOffsets of every rank but 0 right
///              after it and at every reading; called on every rank, with what rank 0 knows there
/// @throws Error when MPI fails.
void watch_clocks(const protocol::ClocksRequest& request, const executor::Communicator& comm,
                  const std::function<void(const protocol::WorkerEvent&)>& emit);

}  // namespace breakeven::worker
