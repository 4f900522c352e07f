// SPDX-License-Identifier: BSD-3-Clause
#include "executor/nodes.hpp"

#include "executor/mpi_error.hpp"

namespace breakeven::executor {

NodeMates node_mates(const Communicator& comm) {
  MPI_Comm node = MPI_COMM_NULL;
  NodeMates mates{.first = comm.me().value};
  check_mpi(
      MPI_Comm_split_type(comm.get(), MPI_COMM_TYPE_SHARED, mates.first, MPI_INFO_NULL, &node),
      "MPI_Comm_split_type");
  check_mpi(MPI_Comm_size(node, &mates.count), "MPI_Comm_size");
  check_mpi(MPI_Bcast(&mates.first, 1, MPI_INT, 0, node), "MPI_Bcast");
  check_mpi(MPI_Comm_free(&node), "MPI_Comm_free");
  return mates;
}

std::vector<int> nodes_of_ranks(const Communicator& comm) {
  const int mine = node_mates(comm).first;
  std::vector<int> nodes(static_cast<std::size_t>(comm.procs()));
  check_mpi(MPI_Allgather(&mine, 1, MPI_INT, nodes.data(), 1, MPI_INT, comm.get()),
            "MPI_Allgather");
  return nodes;
}

}  // namespace breakeven::executor
