// SPDX-License-Identifier: BSD-3-Clause
#include "executor/communicator.hpp"

#include <exception>

#include "executor/mpi_error.hpp"

namespace breakeven::executor {

Communicator::Communicator(MPI_Comm parent) {
  check_mpi(MPI_Comm_dup(parent, &comm_), "MPI_Comm_dup");
  set_up();
}

Communicator::Communicator(MPI_Comm parent, Without) {
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  check_mpi(MPI_Comm_group(parent, &group), "MPI_Comm_group");
  check_mpi(MPI_Comm_get_errhandler(parent, &handler), "MPI_Comm_get_errhandler");
  MPI_Comm_set_errhandler(parent, MPI_ERRORS_RETURN);
  const int status = MPI_Comm_create(parent, group, &comm_);
  MPI_Comm_set_errhandler(parent, handler);
  MPI_Errhandler_free(&handler);
  MPI_Group_free(&group);
  check_mpi(status, "MPI_Comm_create");
  set_up();
}

void Communicator::set_up() {
  check_mpi(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check_mpi(MPI_Comm_size(comm_, &procs_), "MPI_Comm_size");
  check_mpi(MPI_Comm_rank(comm_, &me_.value), "MPI_Comm_rank");
}

Communicator::~Communicator() {
  // Freeing waits for the other ranks, which do not come when an exception is on its way here.
  if (std::uncaught_exceptions() == 0) MPI_Comm_free(&comm_);
}

}  // namespace breakeven::executor
