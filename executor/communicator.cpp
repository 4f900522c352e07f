// SPDX-License-Identifier: BSD-3-Clause
#include "executor/communicator.hpp"

#include <exception>

#include "executor/mpi_error.hpp"

namespace breakeven::executor {

Communicator::Communicator(MPI_Comm parent) {
  check_mpi(MPI_Comm_dup(parent, &comm_), "MPI_Comm_dup");
  check_mpi(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check_mpi(MPI_Comm_size(comm_, &procs_), "MPI_Comm_size");
  check_mpi(MPI_Comm_rank(comm_, &me_.value), "MPI_Comm_rank");
}

Communicator::~Communicator() {
  // Freeing waits for the other ranks, which do not come when an exception is on its way here.
  if (std::uncaught_exceptions() == 0) MPI_Comm_free(&comm_);
}

}  // namespace breakeven::executor
