// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/clock/truth.hpp"

#include "executor/mpi_error.hpp"

namespace breakeven {

double true_error(const GlobalClock& clock, std::int64_t moment_ns, const Communicator& comm) {
  check_mpi(MPI_Bcast(&moment_ns, 1, MPI_INT64_T, 0, comm.get()), "MPI_Bcast");
  const double own = clock.global(clock.local_clock().at(moment_ns));
  double right = own;
  check_mpi(MPI_Bcast(&right, 1, MPI_DOUBLE, 0, comm.get()), "MPI_Bcast");
  return own - right;
}

}  // namespace breakeven
