// SPDX-License-Identifier: BSD-3-Clause
#include "executor/mpi_error.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "core/error.hpp"

namespace breakeven::executor {

void throw_mpi_error(int status, const char* call) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(status, text.data(), &length);
  throw Error(
      fmt::format("{}: {}", call, std::string_view{text.data(), static_cast<std::size_t>(length)}));
}

}  // namespace breakeven::executor
