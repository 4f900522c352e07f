// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "executor/bound_schedule.hpp"
#include "executor/memory.hpp"
#include "kernels/call.hpp"
#include "kernels/schedule.hpp"

namespace breakeven::executor {

/// A run of blocks in its buffer.
struct Run {
  kernels::Buffer buffer = kernels::Buffer::input;
  std::vector<Piece> pieces{};  ///< in the order of the blocks; neighbours in memory are one piece
  std::int64_t elements = 0;
  bool exact = true;  ///< false: slots that take any block, `elements` is their room
};

/// Where the blocks of a schedule lie in a call's memory: the only address arithmetic of the
/// project. Refers to what it is made from.
class BlockMap {
 public:
  /// @throws Error when the schedule's blocks do not cut the call, or its scratch names others.
  BlockMap(const kernels::Schedule& schedule, const kernels::CollectiveCall& call,
           const Memory& memory);

  /// @throws Error when the buffer does not hold `count` blocks from there on.
  [[nodiscard]] Run locate(kernels::Location at, int count) const;
  /// The contiguous part of a run from an element on.
  [[nodiscard]] Piece rest(const Run& run, std::int64_t elements_before) const;
  [[nodiscard]] std::int64_t scratch_elements() const { return slot_begin_.back(); }
  /// Whether some block of the buffer begins within an element of its datatype.
  [[nodiscard]] bool cuts_elements(kernels::Buffer buffer) const;

 private:
  /// The first element of a block, and where each process's share begins, in the buffer's vector.
  [[nodiscard]] std::int64_t begin(kernels::Buffer buffer, int block) const;
  [[nodiscard]] const std::vector<std::int64_t>& begins(kernels::Buffer buffer) const;
  [[nodiscard]] kernels::BlockRange range(kernels::Buffer buffer) const;
  [[nodiscard]] Run locate_slots(int first, int count) const;
  [[nodiscard]] Run run_of(kernels::Buffer buffer, std::int64_t begin, std::int64_t end) const;

  const kernels::Schedule& schedule_;
  const kernels::CollectiveCall& call_;
  const Memory& memory_;
  std::vector<std::int64_t> slot_begin_{0};  ///< elements before each scratch slot, or the end
  std::vector<int> any_before_{0};  ///< slots before each slot, or the end, that take any block
};

}  // namespace breakeven::executor
