// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/library_choice.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "harness/worker/forced_algorithm.hpp"

namespace breakeven::worker {

// SMPI's algorithms are chosen once, on smpirun's command line.
LibraryCapabilities library_capabilities() { return {}; }

/// SMPI reads no tables.
protocol::ReadBack read_back(const protocol::ReadBackRequest& /*request*/) { return {}; }

std::unique_ptr<executor::Communicator> duplicate_without_table(MPI_Comm /*comm*/) {
  throw UsageError("SMPI has no tables");
}

ForcedAlgorithm::ForcedAlgorithm(const Case& what, MPI_Comm comm) : comm_{comm} {
  throw UsageError(fmt::format("{}: SMPI's algorithms can't be chosen here", algorithm_text(what)));
}

}  // namespace breakeven::worker
