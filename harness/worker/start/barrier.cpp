// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/start/barrier.hpp"

#include "executor/mpi_error.hpp"

namespace breakeven::worker {

void barrier(const executor::Communicator& comm) {
  const int procs = comm.procs();
  const int me = comm.me().value;
  for (int distance = 1; distance < procs; distance *= 2) {
    executor::check_mpi(
        MPI_Sendrecv(nullptr, 0, MPI_BYTE, (me + distance) % procs, 0, nullptr, 0, MPI_BYTE,
                     (me - distance + procs) % procs, 0, comm.get(), MPI_STATUS_IGNORE),
        "MPI_Sendrecv");
  }
}

}  // namespace breakeven::worker
