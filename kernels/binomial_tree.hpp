// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "kernels/fold.hpp"

namespace breakeven::kernels {

/// The binomial tree of p processes, each named by its distance v from the root: a parent is its
/// child without the lowest binary digit, so that a subtree is a range of distances.
///
///     p = 7    0          reach  8 1 2 1 4 1 2
///              1  2  4    size   7 1 2 1 3 1 1
///                 3  5 6
class BinomialTree {
 public:
  explicit BinomialTree(int procs) : procs_{procs} {}

  /// The distance from v to its parent; the children are at v + 1, 2, 4, ... below v + reach. The
  /// root's is beyond all processes.
  [[nodiscard]] int reach(int v) const { return v == 0 ? 1 << ceil_log2(procs_) : v & -v; }
  /// The processes of v's subtree, which are v, v+1, ...
  [[nodiscard]] int size(int v) const { return std::min(reach(v), procs_ - v); }

 private:
  int procs_;
};

}  // namespace breakeven::kernels
