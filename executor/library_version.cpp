// SPDX-License-Identifier: BSD-3-Clause
#include "executor/library_version.hpp"

#include <mpi.h>

#include <array>

#include "core/processor.hpp"
#include "executor/mpi_error.hpp"

namespace breakeven::executor {

std::string library_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  check_mpi(MPI_Get_library_version(text.data(), &length), "MPI_Get_library_version");
  return text.data();  // Open MPI counts the terminating zero in `length`
}

std::string library_version_line() {
  const std::string text = library_version();
  return single_spaced(text.substr(0, text.find('\n')));
}

}  // namespace breakeven::executor
