// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <memory>

#include "executor/communicator.hpp"

namespace breakeven {

/// Collective. A duplicate on which the library decides as if no table were in force, in a job
/// whose environment puts one in force.
/// @throws UsageError where a table of this library holds for the whole job.
[[nodiscard]] std::unique_ptr<Communicator> duplicate_without_table(MPI_Comm comm);

}  // namespace breakeven
