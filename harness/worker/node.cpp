// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/node.hpp"

#include "executor/mpi_error.hpp"

namespace breakeven {

int ranks_on_this_node(const Communicator& comm) {
  MPI_Comm node = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(comm.get(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node),
            "MPI_Comm_split_type");
  int ranks = 0;
  check_mpi(MPI_Comm_size(node, &ranks), "MPI_Comm_size");
  check_mpi(MPI_Comm_free(&node), "MPI_Comm_free");
  return ranks;
}

int first_rank_on_this_node(const Communicator& comm) {
  MPI_Comm node = MPI_COMM_NULL;
  int first = comm.me().value;
  check_mpi(MPI_Comm_split_type(comm.get(), MPI_COMM_TYPE_SHARED, first, MPI_INFO_NULL, &node),
            "MPI_Comm_split_type");
  check_mpi(MPI_Bcast(&first, 1, MPI_INT, 0, node), "MPI_Bcast");
  check_mpi(MPI_Comm_free(&node), "MPI_Comm_free");
  return first;
}

}  // namespace breakeven
