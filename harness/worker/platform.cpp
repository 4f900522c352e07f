// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <sched.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <thread>

#include "executor/mpi_types.hpp"
#include "harness/worker/candidate.hpp"
#include "harness/worker/start/scheduled_start.hpp"
#include "harness/worker/tasks.hpp"

namespace breakeven::worker {

// SMPI's versions of these: smpi/platform.cpp.

void abort_all(std::string_view program, std::string_view words, int status) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::cerr << fmt::format("{}: rank {}: {}\n", program, rank, words) << std::flush;
  // When a rank aborts, MPICH's launcher drops all output that it has not passed on yet.
  std::this_thread::sleep_for(std::chrono::milliseconds{300});
  MPI_Abort(MPI_COMM_WORLD, status);
  std::abort();  // not reached
}

void yield_core(Seconds /*left*/, bool cores_are_shared) {
  if (cores_are_shared) sched_yield();
}

MPI_Op native_op(Op op) { return executor::mpi_op(op); }

}  // namespace breakeven::worker
