// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/forced_algorithm.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace breakeven {

class ForcedAlgorithm::Implementation {};

ForcedAlgorithm::ForcedAlgorithm(const Case& what, MPI_Comm /*comm*/) {
  throw UsageError(fmt::format("{}: SMPI's algorithms can't be chosen here", algorithm_text(what)));
}
ForcedAlgorithm::~ForcedAlgorithm() = default;

MPI_Comm ForcedAlgorithm::comm() const { return MPI_COMM_NULL; }

ForcedAlgorithm::Enforced::Enforced(const ForcedAlgorithm* forced) : forced_{forced} {}
ForcedAlgorithm::Enforced::~Enforced() = default;

}  // namespace breakeven
