// SPDX-License-Identifier: BSD-3-Clause
#include "executor/nodes.hpp"

#include <numeric>

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

std::vector<int> ranks_in_world(MPI_Comm comm) {
  int procs = 0;
  check_mpi(MPI_Comm_size(comm, &procs), "MPI_Comm_size");
  std::vector<int> ranks(static_cast<std::size_t>(procs));
  std::vector<int> in_world(ranks.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group world = MPI_GROUP_NULL;
  check_mpi(MPI_Comm_group(comm, &group), "MPI_Comm_group");
  check_mpi(MPI_Comm_group(MPI_COMM_WORLD, &world), "MPI_Comm_group");
  check_mpi(MPI_Group_translate_ranks(group, procs, ranks.data(), world, in_world.data()),
            "MPI_Group_translate_ranks");
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  return in_world;
}

std::vector<int> nodes_of_ranks(const Communicator& comm) {
  const int mine = node_mates(comm).first;
  std::vector<int> nodes(static_cast<std::size_t>(comm.procs()));
  check_mpi(MPI_Allgather(&mine, 1, MPI_INT, nodes.data(), 1, MPI_INT, comm.get()),
            "MPI_Allgather");
  return nodes;
}

}  // namespace breakeven::executor
