// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <memory>

#include "core/library_capabilities.hpp"
#include "executor/communicator.hpp"
#include "harness/protocol/protocol.hpp"

namespace breakeven::worker {

/// An MPI library's own choice among its algorithms. There is one implementation for each library.

/// The library's own algorithms; empty where users can't choose among them.
/// @pre a ToolsSession is open
[[nodiscard]] LibraryCapabilities library_capabilities();

/// Lets the library of this process read a table's file. For one process alone.
[[nodiscard]] protocol::ReadBack read_back(const protocol::ReadBackRequest& request);

/// Collective. A duplicate on which the library decides without a table, in a job whose environment
/// puts one in force.
/// @throws UsageError where a table of this library holds for the whole job.
[[nodiscard]] std::unique_ptr<executor::Communicator> duplicate_without_table(MPI_Comm comm);

}  // namespace breakeven::worker
