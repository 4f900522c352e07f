// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "executor/communicator.hpp"
#include "harness/protocol/protocol.hpp"

namespace breakeven {

/// Collective. Fills in, on rank 0, where each rank is: host, node, socket and NUMA domain, and how
/// many nodes share a kernel. A node is what MPI says shares memory, whatever its hosts are called.
void find_places(JobInfo& job_info, const Communicator& comm);

}  // namespace breakeven
