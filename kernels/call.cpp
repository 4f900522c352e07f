// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/call.hpp"

#include <algorithm>

namespace breakeven::kernels {

namespace {

std::int64_t elements(const CollectiveCall& call, int blocks, BlockRange range) {
  return block_begin(call, blocks, range.first + range.count) -
         block_begin(call, blocks, range.first);
}

}  // namespace

std::int64_t block_begin(const CollectiveCall& call, int blocks, int block) {
  if (!counts_one_block(call.problem.collective)) return first_element(call.count, blocks, block);
  const int cuts = blocks / call.problem.procs;
  const int process = block / cuts;
  if (call.begins.empty()) {
    return process * call.count + first_element(call.count, cuts, block % cuts);
  }
  const std::int64_t begin = call.begins[static_cast<std::size_t>(process)];
  if (block % cuts == 0) return begin;
  const std::int64_t end = call.begins[static_cast<std::size_t>(process) + 1];
  return begin + first_element(end - begin, cuts, block % cuts);
}

Bytes bytes_of(const CollectiveCall& call, int blocks, BlockRange range) {
  return elements(call, blocks, range) * extent(call.datatype);
}

std::int64_t longest_block(const CollectiveCall& call, int blocks) {
  if (call.begins.empty()) return block_begin(call, blocks, 1);
  std::int64_t longest = 0;
  for (int block = 0; block < blocks; ++block) {
    longest =
        std::max(longest, block_begin(call, blocks, block + 1) - block_begin(call, blocks, block));
  }
  return longest;
}

std::vector<std::int64_t> begins_of(std::span<const std::int64_t> counts) {
  std::vector<std::int64_t> begins{0};
  for (const std::int64_t count : counts) begins.push_back(begins.back() + count);
  return begins;
}

std::vector<std::int64_t> begins_of(const Case& what, Rank me) {
  if (what.counts == Counts::equal) return {};
  const std::int64_t mean = what.message.value / extent(what.datatype).value;
  return begins_of(personalised(what.collective)
                       ? exchange_counts(what.counts, what.procs, mean, me)
                       : block_counts(what.counts, what.procs, mean, what.root));
}

std::int64_t input_elements(const CollectiveCall& call) {
  const int procs = call.problem.procs;  // each one's share is a block
  return elements(call, procs, input_blocks(call.problem, procs));
}

std::int64_t output_elements(const CollectiveCall& call) {
  const int procs = call.problem.procs;
  return elements(call, procs, output_blocks(call.problem, procs));
}

}  // namespace breakeven::kernels
