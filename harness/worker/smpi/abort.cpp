// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/abort.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <cstdlib>
#include <iostream>

namespace breakeven::worker {

/// All ranks are this process. SMPI's MPI_Abort would end them with status 0.
void abort_all(std::string_view program, std::string_view words, int status) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::cerr << fmt::format("{}: rank {}: {}\n", program, rank, words) << std::flush;
  std::_Exit(status);
}

}  // namespace breakeven::worker
