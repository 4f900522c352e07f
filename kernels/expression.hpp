// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <deque>
#include <unordered_map>

#include "kernels/rank_set.hpp"

namespace breakeven::kernels {

/// How the contributions of ranks to a block were combined, instead of the block's bytes.
struct Expression {
  RankSet ranks{};            ///< whose contributions are in it
  bool in_rank_order = true;  ///< they are first, first + 1, ..., last, reduced in that order
  /// A number that two expressions share exactly when they reduce the same operands in the same
  /// pairs: a commutative operation then gives the same bits.
  int shape = 0;
};

/// All expressions of a world, each kept once, so that equal ones have the same address.
class Expressions {
 public:
  explicit Expressions(int procs);

  [[nodiscard]] const Expression* contribution(int rank) const;
  /// a op b
  /// @pre the operands have no rank in common
  [[nodiscard]] const Expression* reduced(const Expression* a, const Expression* b);
  /// Of ranks 0 .. count-1 along the one tree whose subtree of height k has the 2^k leaves from a
  /// multiple of 2^k on. Absent leaves leave no trace, so that the operands of given ranks meet in
  /// the same pairs at every p.
  [[nodiscard]] const Expression* along_tree(int count);

 private:
  template <typename T>
  struct Pair {
    T a;
    T b;
    friend bool operator==(const Pair&, const Pair&) = default;
  };
  struct Hash {
    template <typename T>
    std::size_t operator()(const Pair<T>& pair) const;
  };
  const Expression* along_tree(int first, int size, int end);

  std::deque<Expression> all_;  // the contributions come first; addresses stay
  std::unordered_map<Pair<const Expression*>, const Expression*, Hash> reduced_;
  std::unordered_map<Pair<int>, int, Hash> shapes_;  // by the operands' shapes, the smaller first
};

}  // namespace breakeven::kernels
