// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string>
#include <vector>

#include "kernels/algorithm.hpp"
#include "kernels/problem.hpp"
#include "kernels/schedule.hpp"

namespace breakeven::kernels {

/// A process's neighbours in a tree of p processes, which are numbered by their distance from the
/// root.
struct TreeNode {
  int parent = 0;  ///< of the root: itself
  /// In the rounds in which a vector reaches them; those of one round get it at once.
  std::vector<std::vector<int>> children{};
  /// Of a k-nomial tree: the processes of its subtree, which it is the first of.
  int size = 1;
};

/// A rank's number in a tree: its distance from the root.
[[nodiscard]] inline int number_in_tree(const Problem& problem) {
  return problem.behind(problem.root.value).value;
}

/// Two children each: 2v + 1 and 2v + 2.
[[nodiscard]] TreeNode binary_node_of(const Problem& problem);

/// Chains of lengths that differ by one at most, whose first processes are the root's children.
namespace chains {
inline constexpr std::array kParams{
    Param{"chains", "number of chains from the root, 1 or more [1]"}};
[[nodiscard]] TreeNode node_of(const Problem& problem);
[[nodiscard]] bool can_read(const Problem& problem);
[[nodiscard]] std::vector<std::string> variants(int procs);
}  // namespace chains

/// The subtree of v has the r^k processes from v on, where v's last k digits in base r are 0; in
/// each round v reaches the r - 1 processes that differ in one of these digits, the first one
/// first.
namespace knomial_tree {
inline constexpr std::array kParams{
    Param{"radix", "one more than the messages of a round, 2 or more [4]"}};
[[nodiscard]] TreeNode node_of(const Problem& problem, int radix);
[[nodiscard]] TreeNode node_of(const Problem& problem);  ///< with the parameter's radix
[[nodiscard]] bool can_read(const Problem& problem);
[[nodiscard]] std::vector<std::string> variants(int procs);
[[nodiscard]] Formula formula(const Problem& problem);
}  // namespace knomial_tree

/// Each process gets the vector from its parent, then sends it to its children.
[[nodiscard]] Schedule bcast_along(const TreeNode& node, const Problem& problem);

/// Each process reduces what its children send, the nearest ones first, then sends the result to
/// its parent.
[[nodiscard]] Schedule reduce_along(const TreeNode& node, const Problem& problem);

}  // namespace breakeven::kernels
