// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/barrier/algorithms.hpp"
#include "kernels/fold.hpp"
#include "kernels/tree.hpp"

namespace breakeven::kernels::barrier {

namespace {

/// Binomial tree: each rank hears from its children, tells its parent, hears from it and tells its
/// children.
///
///     p = 8   1 -> 0   3 -> 2   5 -> 4   7 -> 6
///             2 -> 0   6 -> 4
///             4 -> 0                              and back the same way
///
/// Needs   any p.
/// Cost    2 ceil(lg p) rounds of messages without data.
/// Source  [hensgen1988], tournament.
Schedule build(const Problem& op) {
  const TreeNode node = knomial_tree::node_of(op, 2);
  Schedule schedule;
  for (auto child = node.children.rbegin(); child != node.children.rend(); ++child) {
    schedule.round({Recv{Rank{child->front()}, output(0), 0}});
  }
  if (op.me.value != 0) {
    schedule.round({Send{Rank{node.parent}, input(0), 0}});
    schedule.round({Recv{Rank{node.parent}, output(0), 0}});
  }
  for (const std::vector<int>& child : node.children) {
    schedule.round({Send{Rank{child.front()}, input(0), 0}});
  }
  return schedule;
}

Formula formula(const Problem& op) { return {.rounds = 2 * ceil_log2(op.procs)}; }

}  // namespace

const Algorithm binomial{.name = "binomial",
                         .requirement = kAnyProcs,
                         .build = build,
                         .formula = formula,
                         .formula_text = "2 ceil(lg p) rounds",
                         .source = "[hensgen1988]"};

}  // namespace breakeven::kernels::barrier
