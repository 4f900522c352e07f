// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "kernels/call.hpp"

namespace breakeven::executor {

/// Counts and displacements of the blocks of all processes in a call's vector, as MPI's irregular
/// collectives want them.
struct IntBlocks {
  std::vector<int> counts;
  std::vector<int> displacements;
  int own = 0;  ///< this rank's count
};

/// @throws UsageError as kernels::beyond_int says.
[[nodiscard]] IntBlocks int_blocks_of(const kernels::CollectiveCall& call);

}  // namespace breakeven::executor
