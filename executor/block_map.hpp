// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "executor/memory.hpp"
#include "kernels/call.hpp"
#include "kernels/schedule.hpp"

namespace breakeven::executor {

/// A byte of a buffer.
struct Place {
  kernels::Buffer buffer = kernels::Buffer::input;
  std::int64_t offset = 0;
  friend bool operator==(const Place&, const Place&) = default;
};

/// Elements of the call that lie one after the other.
struct Piece {
  std::int64_t offset = 0;
  std::int64_t elements = 0;
  friend bool operator==(const Piece&, const Piece&) = default;
};

/// Where the blocks of a schedule lie in a call's memory: the only address arithmetic of the
/// project. Made anew for each size of call, in the memory of the last.
class BlockMap {
 public:
  /// Cuts this rank's input and output.
  void cut(const kernels::CollectiveCall& call, const Memory& memory, int blocks);
  /// Puts these slots one after the other, after cut().
  /// @param slots  the block of each, or BoundSchedule::kAnyBlock: then as large as the longest
  void lay_out(const std::vector<int>& slots, const kernels::CollectiveCall& call,
               const Memory& memory, int blocks);

  /// The elements, or the room, of `count` blocks from there on.
  [[nodiscard]] std::int64_t elements(kernels::Location at, int count) const {
    const std::vector<std::int64_t>& begins = of(at.buffer).begins;
    const auto first = static_cast<std::size_t>(at.block);
    return begins[first + static_cast<std::size_t>(count)] - begins[first];
  }
  /// Whether each of them has a size of its own: not that of a slot for any block.
  [[nodiscard]] bool exact(kernels::Location at, int count) const {
    if (at.buffer != kernels::Buffer::scratch) return true;
    const auto first = static_cast<std::size_t>(at.block);
    return any_before_[first] == any_before_[first + static_cast<std::size_t>(count)];
  }
  /// Appends these blocks to pieces of the buffer. Neighbours in memory become one piece.
  void append(kernels::Location at, int count, std::vector<Piece>& pieces) const;
  [[nodiscard]] std::int64_t scratch_elements() const { return buffers_[2].begins.back(); }
  /// Whether some block of the buffer begins within an element of its datatype.
  [[nodiscard]] bool cuts_elements(kernels::Buffer buffer) const;

 private:
  /// The blocks of a buffer.
  struct Cut {
    Layout layout{};
    std::int64_t element_size = 1;
    std::vector<std::int64_t> begins{};  ///< elements before each, then all
    std::vector<std::int64_t> places{};  ///< where each begins; empty: one after the other

    [[nodiscard]] std::int64_t distance(std::int64_t elements) const {
      return layout.distance(elements * element_size);
    }
  };
  static void cut_buffer(Cut& cut, const BufferMemory& buffer, const kernels::CollectiveCall& call,
                         const std::vector<std::int64_t>& shares, kernels::BlockRange held,
                         int blocks);
  [[nodiscard]] const Cut& of(kernels::Buffer buffer) const {
    return buffers_[static_cast<std::size_t>(buffer)];
  }

  std::array<Cut, 3> buffers_{};
  std::vector<int> any_before_{};  ///< slots before each slot, or the end, that take any block
};

}  // namespace breakeven::executor
