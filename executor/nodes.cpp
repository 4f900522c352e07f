// SPDX-License-Identifier: BSD-3-Clause
#include "executor/nodes.hpp"

#include <array>

#include "executor/communicator.hpp"
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

std::vector<int> ranks_in(MPI_Comm other, MPI_Comm comm, std::span<const int> ranks) {
  std::vector<int> there(ranks.size());
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group of_other = MPI_GROUP_NULL;
  check_mpi(MPI_Comm_group(comm, &group), "MPI_Comm_group");
  check_mpi(MPI_Comm_group(other, &of_other), "MPI_Comm_group");
  check_mpi(MPI_Group_translate_ranks(group, static_cast<int>(ranks.size()), ranks.data(), of_other,
                                      there.data()),
            "MPI_Group_translate_ranks");
  MPI_Group_free(&group);
  MPI_Group_free(&of_other);
  return there;
}

NodeLayout found_layout(const Communicator& comm) {
  const int mine = node_mates(comm).first;
  const bool here = comm.me() == Rank{0};
  std::vector<int> nodes(here ? static_cast<std::size_t>(comm.procs()) : 0);
  check_mpi(MPI_Gather(&mine, 1, MPI_INT, nodes.data(), 1, MPI_INT, 0, comm.get()), "MPI_Gather");
  NodeLayout layout = here ? recognise(nodes) : NodeLayout{};
  std::array<int, 2> sizes{layout.nodes, layout.procs_per_node};
  check_mpi(MPI_Bcast(sizes.data(), 2, MPI_INT, 0, comm.get()), "MPI_Bcast");
  const std::string mapping = broadcast(to_text(layout.mapping), Rank{0}, comm);
  return {comm.procs(), sizes[0], sizes[1], Mapping::parse(mapping)};
}

}  // namespace breakeven::executor
