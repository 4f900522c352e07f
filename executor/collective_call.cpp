// SPDX-License-Identifier: BSD-3-Clause
#include "executor/collective_call.hpp"

namespace breakeven {

namespace {

/// The elements of `range` when every process's share is one block.
std::int64_t elements(const CollectiveCall& call, BlockRange range) {
  const int procs = call.problem.procs;
  return block_begin(call, procs, range.first + range.count) -
         block_begin(call, procs, range.first);
}

}  // namespace

std::int64_t block_begin(const CollectiveCall& call, int blocks, int block) {
  if (!counts_one_block(call.problem.collective)) return first_element(call.count, blocks, block);
  const int share = blocks / call.problem.procs;
  return (block / share) * call.count + first_element(call.count, share, block % share);
}

std::int64_t input_elements(const CollectiveCall& call) {
  return elements(call, input_blocks(call.problem, call.problem.procs));
}

std::int64_t output_elements(const CollectiveCall& call) {
  return elements(call, output_blocks(call.problem, call.problem.procs));
}

}  // namespace breakeven
