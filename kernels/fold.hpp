// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>

#include "core/units.hpp"

namespace breakeven::kernels {

/// How an algorithm for p' = 2^floor(lg p) processes is run on any p: of the first 2r ranks,
/// r = p - p', each odd one hands its part to the even one before it and leaves; the others are
/// renumbered 0 .. p'-1 in rank order.
///
///     p = 5, r = 1     rank     0   1   2   3   4
///                      stays    0   -   1   2   3
///
/// @see [rabenseifner2004], section 2.5
class Fold {
 public:
  explicit Fold(int procs)
      : stay_{static_cast<int>(std::bit_floor(static_cast<unsigned>(procs)))},
        removed_{procs - stay_} {}

  /// p', the processes that stay.
  [[nodiscard]] int stay() const { return stay_; }
  /// Whether the rank is one of a pair of which the odd one leaves.
  [[nodiscard]] bool paired(Rank rank) const { return rank.value < 2 * removed_; }
  [[nodiscard]] bool leaves(Rank rank) const { return paired(rank) && rank.value % 2 == 1; }
  /// The rank's partner in a pair.
  [[nodiscard]] static Rank partner(Rank rank) { return {rank.value ^ 1}; }

  /// The number 0 .. p'-1 of a rank that stays, and back.
  [[nodiscard]] int number(Rank rank) const {
    return paired(rank) ? rank.value / 2 : rank.value - removed_;
  }
  [[nodiscard]] Rank rank(int number) const {
    return {number < removed_ ? 2 * number : number + removed_};
  }

 private:
  int stay_;
  int removed_;
};

/// ceil(log2 p), the rounds that information from p processes needs.
[[nodiscard]] constexpr int ceil_log2(int procs) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(procs - 1)));
}

}  // namespace breakeven::kernels
