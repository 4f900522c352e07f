// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "core/error.hpp"

namespace breakeven::executor {

/// A call of MPI that failed: "MPI_Isend: " and the library's own words.
class MpiError : public Error {
 public:
  MpiError(int status, const char* call);
  /// The call's return value.
  [[nodiscard]] int status() const { return status_; }

 private:
  int status_;
};

/// The one place where an MPI status becomes an exception.
/// @param call  the MPI function's name, for the message
/// @throws MpiError unless `status` is MPI_SUCCESS.
inline void check_mpi(int status, const char* call) {
  if (status != MPI_SUCCESS) throw MpiError{status, call};
}

}  // namespace breakeven::executor
