// SPDX-License-Identifier: BSD-3-Clause
// SMPI's algorithms are chosen once, on smpirun's command line.
#include "libraries/forced/forced_algorithm.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace breakeven::forced {

bool forces_each_call(const Case& /*what*/) { return false; }

ForcedAlgorithm::ForcedAlgorithm(const Case& what, MPI_Comm comm, Unable /*unable*/) : comm_{comm} {
  throw UsageError(fmt::format("{}: SMPI's algorithms can't be chosen here", algorithm_text(what)));
}

}  // namespace breakeven::forced
