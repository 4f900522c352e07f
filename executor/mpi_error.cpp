// SPDX-License-Identifier: BSD-3-Clause
#include "executor/mpi_error.hpp"

#include <array>
#include <string>

namespace breakeven::executor {

namespace {

std::string text_of(int status, const char* call) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(status, text.data(), &length);
  return std::string{call} + ": " + std::string(text.data(), static_cast<std::size_t>(length));
}

}  // namespace

MpiError::MpiError(int status, const char* call) : Error{text_of(status, call)}, status_{status} {}

}  // namespace breakeven::executor
