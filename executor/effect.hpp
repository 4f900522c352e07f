// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <vector>

#include "executor/bound_schedule.hpp"

namespace breakeven::executor {

/// Blocks of a buffer.
struct Range {
  kernels::Buffer buffer;
  int begin;
  int end;

  Range(kernels::Location at, int count)
      : buffer{at.buffer}, begin{at.block}, end{at.block + count} {}
  Range(const BoundMessage& message, const kernels::BlockRange& run)
      : Range{{message.buffer, run.first}, run.count} {}

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

[[nodiscard]] inline Effect effect_of(const kernels::Local& step) {
  if (const auto* copy = std::get_if<kernels::Copy>(&step)) {
    const Range from{copy->from, copy->count};
    return {from, from, {copy->into, copy->count}};
  }
  const auto& [a, b, into, count] = std::get<kernels::Reduce>(step);
  return {{a, count}, {b, count}, {into, count}};
}

[[nodiscard]] inline bool meets(const BoundMessage& message, const Range& other) {
  return std::ranges::any_of(message.runs, [&](const kernels::BlockRange& run) {
    return Range{message, run}.overlaps(other);
  });
}
[[nodiscard]] inline bool meets(const std::vector<BoundMessage>& messages, const Range& other) {
  return std::ranges::any_of(messages,
                             [&](const BoundMessage& each) { return meets(each, other); });
}

}  // namespace breakeven::executor
