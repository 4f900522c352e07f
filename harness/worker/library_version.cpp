// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/library_version.hpp"

#include <mpi.h>

#include <array>

#include "executor/mpi_error.hpp"

namespace breakeven {

std::string library_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  check_mpi(MPI_Get_library_version(text.data(), &length), "MPI_Get_library_version");
  return text.data();  // Open MPI counts the terminating zero in `length`
}

}  // namespace breakeven
