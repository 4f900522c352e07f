// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "kernels/fold.hpp"

namespace breakeven::kernels {

/// The circulant graph of p processes: in round k every rank r sends to r - jump(k) and receives
/// from r + jump(k), so that after round k it knows of the skips[k+1] - 1 ranks that follow it.
///
///     p = 9   skips  1 2 3 5 (9)   e  0 1 1 1   jump  1 1 2 4
///
/// @see [traff2023], section III-A, Listing 1; the pattern turns out to be that of
///      [barnoy1993]
class Circulant {
 public:
  explicit Circulant(int procs) : skips_(static_cast<std::size_t>(ceil_log2(procs)) + 1) {
    skips_.back() = procs;
    for (std::size_t k = skips_.size() - 1; k > 0; --k) skips_[k - 1] = (skips_[k] + 1) / 2;
  }

  /// q = ceil(log2 p)
  [[nodiscard]] int rounds() const { return static_cast<int>(skips_.size()) - 1; }
  /// skips[k]: the number of ranks that a rank knows of before round k, itself the first of them.
  [[nodiscard]] int skip(int k) const { return skips_[static_cast<std::size_t>(k)]; }
  /// Whether round k passes on only received parts, without the sender's own: its own part would
  /// reach the receiver twice (e = 1, skips[k+1] odd).
  [[nodiscard]] bool without_own(int k) const { return skip(k + 1) % 2 == 1; }
  /// skips[k] - e
  [[nodiscard]] int jump(int k) const { return skip(k) - (without_own(k) ? 1 : 0); }
  /// Of collectives with a root: the round in which the rank `distance` ahead of the root passes
  /// on what it has got in all rounds before, and is done; q for the root itself. Where that round
  /// is without the own part, this went to the rank behind in round 0.
  /// @see Listing 4
  [[nodiscard]] int last_round(int distance) const {
    int k = rounds();
    while (distance > 0) {
      if (jump(--k) <= distance) distance -= jump(k);
    }
    return k;
  }

 private:
  std::vector<int> skips_;  // skips[0 .. q], skips[q] = p
};

}  // namespace breakeven::kernels
