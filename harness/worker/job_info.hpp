// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "executor/communicator.hpp"
#include "harness/protocol/protocol.hpp"

namespace breakeven::worker {

/// Collective. What the launch runs on; it means something on rank 0.
[[nodiscard]] protocol::JobInfo job_info(const executor::Communicator& comm);

}  // namespace breakeven::worker
