// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>

#include "core/error.hpp"

namespace breakeven::kernels {

namespace {

std::int64_t elements(const CollectiveCall& call, int blocks, BlockRange range) {
  return block_begin(call, blocks, range.first + range.count) -
         block_begin(call, blocks, range.first);
}

}  // namespace

std::int64_t block_begin(const CollectiveCall& call, int blocks, int block) {
  return block_begin(call, call.begins, blocks, block);
}

std::int64_t block_begin(const CollectiveCall& call, std::span<const std::int64_t> begins,
                         int blocks, int block) {
  if (!counts_one_block(call.problem.collective)) return first_element(call.count, blocks, block);
  const int cuts = blocks / call.problem.procs;
  const int process = block / cuts;
  if (begins.empty()) {
    return process * call.count + first_element(call.count, cuts, block % cuts);
  }
  const std::int64_t begin = begins[static_cast<std::size_t>(process)];
  if (block % cuts == 0) return begin;
  const std::int64_t end = begins[static_cast<std::size_t>(process) + 1];
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

std::optional<std::string> beyond_int(const CollectiveCall& call) {
  constexpr std::int64_t kMost = std::numeric_limits<int>::max();
  const auto refused = [](std::string_view what, std::int64_t number, std::string_view unit) {
    return fmt::format("{} {} {} is more than MPI's int can count", what, number, unit);
  };
  const Collective collective = call.problem.collective;
  const int procs = call.problem.procs;
  if (!irregular(collective)) {
    if (call.count <= kMost) return std::nullopt;
    return refused("a message of", call.count, "elements");
  }
  const std::int64_t longest = longest_block(call, procs);
  if (longest > kMost) return refused("a block of", longest, "elements");
  if (collective == Collective::reduce_scatter) return std::nullopt;  // has no places
  // The last block is another one at each rank of a personalised exchange.
  std::int64_t last = elements(call, procs, {procs - 1, 1});
  for (int i = 0; personalised(collective) && i < procs; ++i) {
    last = std::min(last, elements(call, procs, {i, 1}));
  }
  const bool in_bytes = collective == Collective::alltoallw;
  const std::int64_t place =
      (block_begin(call, procs, procs) - last) * (in_bytes ? extent(call.datatype).value : 1);
  if (place <= kMost) return std::nullopt;
  return refused("the last block's place,", place, in_bytes ? "bytes," : "elements,");
}

std::int64_t input_elements(const CollectiveCall& call) {
  const int procs = call.problem.procs;  // each one's share is a block
  return elements(call, procs, input_blocks(call.problem, procs));
}

std::int64_t output_elements(const CollectiveCall& call) {
  const int procs = call.problem.procs;
  return elements(call, procs, output_blocks(call.problem, procs));
}

IntBlocks int_blocks_of(const CollectiveCall& call) {
  const int procs = call.problem.procs;
  if (const auto why = beyond_int(call)) throw UsageError(*why);
  IntBlocks blocks;
  for (int i = 0; i < procs; ++i) {
    const std::int64_t begin = block_begin(call, procs, i);
    blocks.displacements.push_back(static_cast<int>(begin));
    blocks.counts.push_back(static_cast<int>(block_begin(call, procs, i + 1) - begin));
  }
  blocks.own = blocks.counts[static_cast<std::size_t>(call.problem.me.value)];
  return blocks;
}

}  // namespace breakeven::kernels
