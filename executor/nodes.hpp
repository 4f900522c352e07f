// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "core/mapping.hpp"
#include "executor/communicator.hpp"

namespace breakeven::executor {

/// The ranks that share memory with one, itself among them.
struct NodeMates {
  int first = 0;  ///< the lowest of them
  int count = 1;
};

/// Collective.
[[nodiscard]] NodeMates node_mates(const Communicator& comm);

/// Not collective. The ranks in another communicator of the processes with these ranks in one that
/// is no intercommunicator; MPI_UNDEFINED for those that the other lacks.
[[nodiscard]] std::vector<int> ranks_in(MPI_Comm other, MPI_Comm comm, std::span<const int> ranks);

/// Collective. Where the processes are: rank 0 is told and tells all, in few messages of each rank.
[[nodiscard]] NodeLayout found_layout(const Communicator& comm);

}  // namespace breakeven::executor
