// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "core/units.hpp"
#include "kernels/call.hpp"
#include "kernels/schedule.hpp"

namespace breakeven::executor {

/// How the elements of a buffer lie in memory, as MPI describes a datatype. All in bytes.
struct Layout {
  std::int64_t size = 1;         ///< of an element's data, without gaps
  std::int64_t extent = 1;       ///< from one element to the next; may be negative
  std::int64_t true_lower = 0;   ///< where an element's data begins, from its own address
  std::int64_t true_extent = 1;  ///< from there to the end of its data
  bool contiguous = true;        ///< no gaps, in order: any range of its bytes is a range of memory

  /// Where places are counted from: bytes of data where they are contiguous, else elements, whose
  /// datatype says itself where their data begins.
  [[nodiscard]] std::int64_t origin() const { return contiguous ? true_lower : 0; }
  /// The distance from there to data that this many bytes of data precede; whole elements unless
  /// contiguous.
  [[nodiscard]] std::int64_t distance(std::int64_t bytes) const {
    return contiguous ? bytes : bytes / size * extent;
  }
};

[[nodiscard]] constexpr Layout contiguous_layout(Bytes element) {
  return {.size = element.value, .extent = element.value, .true_extent = element.value};
}

struct BufferMemory {
  Layout layout{};
  /// Where each process's share begins, in bytes from the buffer, of calls with `begins`; empty:
  /// one after the other.
  std::vector<std::int64_t> shares{};
};

/// All that binding knows of a call's buffers: sizes and distances, never addresses.
struct Memory {
  std::int64_t element_size = 1;  ///< bytes of data in one of the call's elements
  BufferMemory input{};
  BufferMemory output{};
  BufferMemory scratch{};  ///< laid out as both others where elements are reduced, else contiguous
  bool in_place = false;   ///< the input lies in the output, and both have one layout
  /// The output is already where it belongs (scatter in place at the root): it is not written.
  bool output_unwanted = false;

  [[nodiscard]] const BufferMemory& of(kernels::Buffer buffer) const {
    return buffer == kernels::Buffer::input    ? input
           : buffer == kernels::Buffer::output ? output
                                               : scratch;
  }
  [[nodiscard]] bool contiguous() const {
    return input.layout.contiguous && output.layout.contiguous && scratch.layout.contiguous;
  }
  /// How far some of the call's elements reach in a buffer, in bytes.
  [[nodiscard]] std::int64_t distance(kernels::Buffer buffer, std::int64_t elements) const {
    return of(buffer).layout.distance(elements * element_size);
  }
};

/// The memory of a call of a predefined datatype: two buffers, but one of a broadcast, as MPI_Bcast
/// has it.
[[nodiscard]] inline Memory memory_of(const kernels::CollectiveCall& call) {
  const Bytes element = extent(call.datatype);
  const BufferMemory buffer{.layout = contiguous_layout(element)};
  Memory memory{
      .element_size = element.value, .input = buffer, .output = buffer, .scratch = buffer};
  memory.in_place = call.problem.collective == Collective::bcast;
  return memory;
}

}  // namespace breakeven::executor
