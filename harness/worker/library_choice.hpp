// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <memory>

#include "core/library_capabilities.hpp"
#include "executor/communicator.hpp"
#include "harness/protocol/protocol.hpp"

namespace breakeven::worker {

/// What an MPI library says and does of its own choice among its algorithms. There is one
/// implementation for each library.

/// What the library says that it has itself; empty where nobody can choose among it. A ToolsSession
/// is open.
[[nodiscard]] LibraryCapabilities library_capabilities();

/// What the library of this process makes of a table's file. Of one process alone.
[[nodiscard]] protocol::ReadBack read_back(const protocol::ReadBackRequest& request);

/// Collective. A duplicate on which the library decides as if no table were in force, in a job
/// whose environment puts one in force.
/// @throws UsageError where a table of this library holds for the whole job.
[[nodiscard]] std::unique_ptr<executor::Communicator> duplicate_without_table(MPI_Comm comm);

}  // namespace breakeven::worker
