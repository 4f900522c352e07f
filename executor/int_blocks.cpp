// SPDX-License-Identifier: BSD-3-Clause
#include "executor/int_blocks.hpp"

#include <fmt/format.h>

#include <limits>

#include "core/error.hpp"

namespace breakeven::executor {

IntBlocks int_blocks_of(const kernels::CollectiveCall& call) {
  const int procs = call.problem.procs;
  const std::int64_t all = kernels::block_begin(call, procs, procs);
  if (all > std::numeric_limits<int>::max()) {
    throw UsageError(
        fmt::format("{} elements of all processes are more than MPI's int can count", all));
  }
  IntBlocks blocks;
  for (int i = 0; i < procs; ++i) {
    const std::int64_t begin = kernels::block_begin(call, procs, i);
    blocks.displacements.push_back(static_cast<int>(begin));
    blocks.counts.push_back(static_cast<int>(kernels::block_begin(call, procs, i + 1) - begin));
  }
  blocks.own = blocks.counts[static_cast<std::size_t>(call.problem.me.value)];
  return blocks;
}

}  // namespace breakeven::executor
