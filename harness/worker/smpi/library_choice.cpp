// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/library_choice.hpp"

#include "core/error.hpp"

namespace breakeven::worker {

// SMPI's algorithms are chosen once, on smpirun's command line.
LibraryCapabilities library_capabilities() { return {}; }

/// SMPI reads no tables.
protocol::ReadBack read_back(const protocol::ReadBackRequest& /*request*/) { return {}; }

std::unique_ptr<executor::Communicator> duplicate_without_table(MPI_Comm /*comm*/) {
  throw UsageError("SMPI has no tables");
}

}  // namespace breakeven::worker
