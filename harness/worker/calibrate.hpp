// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "executor/communicator.hpp"
#include "harness/protocol/protocol.hpp"

namespace breakeven::worker {

/// Collective, some 60 ms. Measures the machine without collectives; the times are rank 0's.
/// Arithmetic and copies are the mean over the ranks, which all work at once: whatever shares their
/// cores slows them. Of ping-pongs it is the median.
[[nodiscard]] protocol::Calibrated calibrate(const executor::Communicator& comm);

}  // namespace breakeven::worker
