// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "kernels/problem.hpp"
#include "kernels/schedule.hpp"

namespace breakeven::kernels {

/// The blocks of consecutive ranks, rank p-1 being followed by rank 0: in a buffer that holds all
/// blocks in rank order, one run of neighbours or two.
class RingRange {
 public:
  /// @pre 1 <= count <= procs, with one block for each rank
  RingRange(Rank first, int count, int procs) {
    const int until_end = std::min(count, procs - first.value);
    runs_ = {{{first.value, until_end}, {0, count - until_end}}};
  }

  [[nodiscard]] int count() const { return runs_[0].count + runs_[1].count; }
  [[nodiscard]] std::span<const BlockRange> runs() const {
    return std::span{runs_}.first(runs_[1].count > 0 ? 2 : 1);
  }
  /// Scratch slots for the range in ring order, where it is one run.
  [[nodiscard]] std::vector<ScratchRun> slots() const {
    std::vector<ScratchRun> slots;
    for (const auto& [first, count] : runs()) slots.push_back({first, count});
    return slots;
  }

 private:
  std::array<BlockRange, 2> runs_{};
};

}  // namespace breakeven::kernels
