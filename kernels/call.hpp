// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "core/units.hpp"
#include "kernels/problem.hpp"

namespace breakeven::kernels {

/// One call of a collective as one rank sees it: all that its arguments say but the buffers.
struct CollectiveCall {
  Problem problem{};
  std::int64_t count = 0;  ///< elements, as MPI counts them: the vector's, or one process's block's
  /// Where each process's share begins in the whole vector, then the vector's length: of irregular
  /// collectives, whose `count` is the mean then. Empty: every share has `count` elements.
  std::vector<std::int64_t> begins{};
  /// Of an irregular alltoall's input, where it differs from that of its output.
  std::vector<std::int64_t> sent_begins{};
  Datatype datatype = Datatype::int_;
  Op op = Op::none;
};

/// The first element of `block` in the whole vector, cut into `blocks` blocks; `block == blocks`
/// gives the vector's length. Where MPI counts one process's block, every process's share is cut
/// by itself, so that no block crosses from one share into the next; `blocks` is a multiple of
/// procs then.
[[nodiscard]] std::int64_t block_begin(const CollectiveCall& call, int blocks, int block);
/// With the shares that begin there, in place of the call's `begins`.
[[nodiscard]] std::int64_t block_begin(const CollectiveCall& call,
                                       std::span<const std::int64_t> begins, int blocks, int block);

/// The bytes of some of its blocks, cut so.
[[nodiscard]] Bytes bytes_of(const CollectiveCall& call, int blocks, BlockRange range);

/// The length of the longest block.
[[nodiscard]] std::int64_t longest_block(const CollectiveCall& call, int blocks);

/// CollectiveCall::begins for these counts, one for each process.
[[nodiscard]] std::vector<std::int64_t> begins_of(std::span<const std::int64_t> counts);

/// CollectiveCall::begins for a case at one rank. In a personalised exchange it describes both the
/// rank's input and its output.
[[nodiscard]] std::vector<std::int64_t> begins_of(const Case& what, Rank me);

/// Why MPI has no such call, the same at every rank: an argument that is an int would be beyond
/// int, be it a count or where a block begins. Nothing: MPI has it.
[[nodiscard]] std::optional<std::string> beyond_int(const CollectiveCall& call);

/// The elements of this rank's input and output buffer; 0 where it has none.
[[nodiscard]] std::int64_t input_elements(const CollectiveCall& call);
[[nodiscard]] std::int64_t output_elements(const CollectiveCall& call);

/// Counts and displacements of the blocks of all processes in a call's vector, in the form of MPI's
/// irregular collectives.
struct IntBlocks {
  std::vector<int> counts;
  std::vector<int> displacements;
  int own = 0;  ///< this rank's count
};

/// @throws UsageError with the reason of beyond_int.
[[nodiscard]] IntBlocks int_blocks_of(const CollectiveCall& call);

}  // namespace breakeven::kernels
