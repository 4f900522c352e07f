// SPDX-License-Identifier: BSD-3-Clause
// MPICH's Fortran interfaces call its C interface, but for these of mpi_f08, which have no buffer:
// they call the library past it. Each calls the C function, which is replaced itself.
#include <mpi.h>

#include "interpose/fortran_requests.hpp"

namespace {

void set(MPI_Fint* ierror, int status) {  // an optional argument
  if (ierror != nullptr) *ierror = status;
}

}  // namespace

#define EXPORTED extern "C" [[gnu::visibility("default")]]

EXPORTED void mpi_init_f08_(MPI_Fint* ierror) { set(ierror, MPI_Init(nullptr, nullptr)); }

EXPORTED void mpi_init_thread_f08_(const MPI_Fint* required, MPI_Fint* provided, MPI_Fint* ierror) {
  set(ierror, MPI_Init_thread(nullptr, nullptr, *required, provided));
}

EXPORTED void mpi_barrier_f08_(const MPI_Fint* comm, MPI_Fint* ierror) {
  set(ierror, MPI_Barrier(MPI_Comm_f2c(*comm)));
}

EXPORTED void mpi_ibarrier_f08_(const MPI_Fint* comm, MPI_Fint* request, MPI_Fint* ierror) {
  MPI_Request made = MPI_REQUEST_NULL;
  set(ierror, MPI_Ibarrier(MPI_Comm_f2c(*comm), &made));
  *request = MPI_Request_c2f(made);
}

#define WAIT_OR_TEST(lower, UPPER, ...) BREAKEVEN_WAIT_OR_TEST(mpi_##lower##_f08_, __VA_ARGS__)
BREAKEVEN_FOR_WAITS_AND_TESTS(WAIT_OR_TEST)
