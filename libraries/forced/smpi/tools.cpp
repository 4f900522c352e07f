// SPDX-License-Identifier: BSD-3-Clause
// SMPI has no tools interface. Its algorithms are chosen once, on smpirun's command line.
#include "libraries/forced/tools.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "libraries/forced/forced_algorithm.hpp"

namespace breakeven::forced {

ToolsSession::ToolsSession() = default;
ToolsSession::~ToolsSession() = default;

// A simulated library is set by its platform file alone, which is its machine.
LibrarySettings settings_in_force() { return {}; }

bool forces_each_call(const Case& /*what*/) { return false; }

ForcedAlgorithm::ForcedAlgorithm(const Case& what, MPI_Comm comm, Unable /*unable*/) : comm_{comm} {
  throw UsageError(fmt::format("{}: SMPI's algorithms can't be chosen here", algorithm_text(what)));
}

}  // namespace breakeven::forced
