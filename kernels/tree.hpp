// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "kernels/problem.hpp"
#include "kernels/schedule.hpp"

namespace breakeven::kernels {

/// A process's neighbours in a tree of p processes, which are numbered by their distance from the
/// root.
struct TreeNode {
  int parent = 0;  ///< of the root: itself
  /// In the rounds in which a vector reaches them; those of one round get it at once.
  std::vector<std::vector<int>> children{};
};

/// Chains of lengths that differ by one at most, whose first processes are the root's children.
[[nodiscard]] TreeNode node_of_chains(int v, int procs, int chains);

/// Two children each: 2v + 1 and 2v + 2.
[[nodiscard]] TreeNode node_of_binary(int v, int procs);

/// The subtree of v has the r^k processes from v on, where v's last k digits in base r are 0; in
/// each round v reaches the r - 1 processes that differ in one of these digits, the first one
/// first.
[[nodiscard]] TreeNode node_of_knomial(int v, int procs, int radix);

/// The problem's number in the trees.
[[nodiscard]] inline int distance_from_root(const Problem& problem) {
  return problem.behind(problem.root.value).value;
}

/// Each process gets the vector from its parent, then sends it to its children.
[[nodiscard]] Schedule bcast_along(const TreeNode& node, const Problem& problem);

/// Each process reduces what its children send, the nearest ones first, then sends the result to
/// its parent.
[[nodiscard]] Schedule reduce_along(const TreeNode& node, const Problem& problem);

}  // namespace breakeven::kernels
