// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/abort.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <thread>

namespace breakeven::worker {

void abort_all(std::string_view program, std::string_view words, int status) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::cerr << fmt::format("{}: rank {}: {}\n", program, rank, words) << std::flush;
  // MPICH's launcher drops what it has not passed on yet when a rank aborts.
  std::this_thread::sleep_for(std::chrono::milliseconds{300});
  MPI_Abort(MPI_COMM_WORLD, status);
  std::abort();  // not reached
}

}  // namespace breakeven::worker
