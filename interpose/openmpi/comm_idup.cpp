// SPDX-License-Identifier: BSD-3-Clause
// Open MPI 4.1 hangs now and then when a communicator is made of one while an MPI_Comm_idup of it
// is under way. Ours is made in the first replaced call on a communicator: where that comes after
// its first MPI_Comm_idup, all calls on it are left to the library. All ranks see that order.
#include <mpi.h>

#include "interpose/intercept.hpp"

#define EXPORTED extern "C" [[gnu::visibility("default")]]

using breakeven::interpose::leave_unless_begun;

EXPORTED int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* newcomm, MPI_Request* request) {
  leave_unless_begun(comm);
  return PMPI_Comm_idup(comm, newcomm, request);
}

// There where a program in Fortran is.
extern "C" [[gnu::weak]] void pmpi_comm_idup_(void* comm, void* newcomm, void* request,
                                              void* ierror);

#define IN_FORTRAN(name)                                                       \
  EXPORTED void name(void* comm, void* newcomm, void* request, void* ierror) { \
    leave_unless_begun(MPI_Comm_f2c(*static_cast<const MPI_Fint*>(comm)));     \
    pmpi_comm_idup_(comm, newcomm, request, ierror);                           \
  }
IN_FORTRAN(mpi_comm_idup)
IN_FORTRAN(mpi_comm_idup_)
IN_FORTRAN(mpi_comm_idup__)
IN_FORTRAN(MPI_COMM_IDUP)
IN_FORTRAN(ompi_comm_idup_f)
