// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace breakeven {

/// The one place where an MPI status becomes an exception.
/// @param call  the MPI function's name, for the message
/// @throws Error "MPI_Isend: " and the library's own words, unless `status` is MPI_SUCCESS.
void check_mpi(int status, const char* call);

}  // namespace breakeven
