// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

namespace breakeven::executor {

/// @throws Error "MPI_Isend: " and the library's own words.
[[noreturn]] void throw_mpi_error(int status, const char* call);

/// The one place where an MPI status becomes an exception.
/// @param call  the MPI function's name, for the message
/// @throws Error as throw_mpi_error() does, unless `status` is MPI_SUCCESS.
inline void check_mpi(int status, const char* call) {
  if (status != MPI_SUCCESS) throw_mpi_error(status, call);
}

}  // namespace breakeven::executor
