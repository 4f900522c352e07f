// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "executor/communicator.hpp"

namespace breakeven::executor {

/// The ranks that share memory with one, itself among them.
struct NodeMates {
  int first = 0;  ///< the lowest of them
  int count = 1;
};

/// Collective.
[[nodiscard]] NodeMates node_mates(const Communicator& comm);

/// Not collective. The rank in MPI_COMM_WORLD of each process of a communicator, which is no
/// intercommunicator; MPI_UNDEFINED for a process that was spawned.
[[nodiscard]] std::vector<int> ranks_in_world(MPI_Comm comm);

/// Collective. The node of each rank, by any numbers.
[[nodiscard]] std::vector<int> nodes_of_ranks(const Communicator& comm);

}  // namespace breakeven::executor
