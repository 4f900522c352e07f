// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "core/mapping.hpp"
#include "executor/communicator.hpp"

namespace breakeven::executor {

/// A rank's group, itself in it.
struct Mates {
  int first = 0;  ///< the lowest of them
  int count = 1;
};

/// Collective. A node is a host: a name, one start of a kernel, one network namespace. Its ranks
/// need not share memory: a library without such a transport parts them by MPI_COMM_TYPE_SHARED.
[[nodiscard]] Mates node_mates(const Communicator& comm);
/// Collective. The communicator of the caller's node, in the order of ranks; the caller frees it.
[[nodiscard]] MPI_Comm split_by_node(const Communicator& comm);
/// Collective. The ranks that share memory with the caller's, by the library's own account.
[[nodiscard]] Mates memory_mates(const Communicator& comm);

/// Not collective. The ranks in another communicator of the processes with these ranks in one that
/// is no intercommunicator; MPI_UNDEFINED for those that the other lacks.
[[nodiscard]] std::vector<int> ranks_in(MPI_Comm other, MPI_Comm comm, std::span<const int> ranks);

/// Collective. Where the processes are: rank 0 is told and tells all, in few messages of each rank.
[[nodiscard]] NodeLayout found_layout(const Communicator& comm);

}  // namespace breakeven::executor
