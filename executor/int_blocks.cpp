// SPDX-License-Identifier: BSD-3-Clause
#include "executor/int_blocks.hpp"

#include "core/error.hpp"

namespace breakeven::executor {

IntBlocks int_blocks_of(const kernels::CollectiveCall& call) {
  const int procs = call.problem.procs;
  if (const auto why = kernels::beyond_int(call)) throw UsageError(*why);
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
