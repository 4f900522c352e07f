// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>

#include "executor/bound_schedule.hpp"
#include "executor/memory.hpp"

namespace breakeven::executor {

/// Bytes of a buffer.
struct Range {
  kernels::Buffer buffer;
  std::int64_t begin;
  std::int64_t end;

  [[nodiscard]] bool overlaps(const Range& other) const {
    return buffer == other.buffer && begin < other.end && other.begin < end;
  }
  [[nodiscard]] bool covers(const Range& other) const {
    return buffer == other.buffer && begin <= other.begin && other.end <= end;
  }
  friend bool operator==(const Range&, const Range&) = default;
};

/// The ranges that a local step reads (a copy reads one, named twice) and the range that it writes.
struct Effect {
  Range a;
  Range b;
  Range into;

  [[nodiscard]] bool reads(const Range& range) const {
    return a.overlaps(range) || b.overlaps(range);
  }
  [[nodiscard]] bool touches(const Range& range) const {
    return reads(range) || into.overlaps(range);
  }
};

/// The bytes that steps of a schedule read and write, where buffers are contiguous.
class Effects {
 public:
  explicit Effects(const Memory& memory) : memory_{memory} {}

  [[nodiscard]] Range range(Place at, std::int64_t elements) const {
    return {at.buffer, at.offset, at.offset + memory_.distance(at.buffer, elements)};
  }
  [[nodiscard]] Range range(const BoundMessage& message, const Piece& piece) const {
    return range(Place{message.buffer, piece.offset}, piece.elements);
  }
  [[nodiscard]] Effect of(const BoundLocal& step) const {
    if (const auto* copy = std::get_if<BoundCopy>(&step)) {
      const Range from = range(copy->from, copy->elements);
      return {from, from, range(copy->into, copy->elements)};
    }
    const auto& [a, b, into, elements] = std::get<BoundReduce>(step);
    return {range(a, elements), range(b, elements), range(into, elements)};
  }
  [[nodiscard]] bool meets(const BoundMessage& message, const Range& other) const {
    return std::ranges::any_of(
        message.pieces, [&](const Piece& piece) { return range(message, piece).overlaps(other); });
  }
  [[nodiscard]] bool meets(const std::vector<BoundMessage>& messages, const Range& other) const {
    return std::ranges::any_of(messages,
                               [&](const BoundMessage& each) { return meets(each, other); });
  }

 private:
  const Memory& memory_;
};

}  // namespace breakeven::executor
