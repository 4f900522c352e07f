// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/bine.hpp"

#include <ranges>

#include "kernels/gather/algorithms.hpp"

namespace breakeven::kernels::gather {

namespace {

/// The place of a block among those of these runs; beyond all, their number.
int place(const std::vector<BlockRange>& runs, int block) {
  int before = 0;
  for (const auto& [first, count] : runs) {
    if (block < first + count) return before + block - first;
    before += count;
  }
  return before;
}

/// Bine tree: the broadcast's backwards, nearest partners first; each process passes on the blocks
/// of its subtree, consecutive ones around it.
///
///     p = 8            v = distance from the root
///     step 0, +-1      0 <- 1     3 <- 2     4 <- 5     7 <- 6     one block
///     step 1, -+1      0 <- 7     3 <- 4                           blocks of v = 6, 7 | 4, 5
///     step 2, +-3      0 <- 3                                      blocks of v = 2 .. 5
///
/// Blocks that are no neighbours in rank order go in one message. For other p the ranks from the
/// greatest 2^k on send their block in a first round.
///
/// Needs   any p.
/// Cost    ceil(lg p) messages, (p-1)/p m received (by the root).
/// Source  [desensi2025].
Schedule build(const Problem& op) {
  const TreeNode node = bine_node_of(op);
  const int v = number_in_tree(op);
  const auto rank_at = [&](int number) { return Rank{(op.root.value + number) % op.procs}; };
  const auto goes_on = [&](int child) { return child < Fold{op.procs}.stay(); };
  int steps = 0;
  for (const std::vector<int>& children : node.children) steps += goes_on(children.front()) ? 1 : 0;
  const std::vector<BlockRange> held = bine_subtree(op, v, steps);
  const bool leaf = node.children.empty();
  const Buffer buffer = op.at_root() ? Buffer::output : leaf ? Buffer::input : Buffer::scratch;
  Schedule schedule{.blocks = op.procs, .scratch = {}, .rounds = {}};
  if (buffer == Buffer::scratch) {
    for (const auto& [first, count] : held) schedule.scratch.push_back({first, count});
  }
  if (buffer != Buffer::input) {
    schedule.local(Copy{input(0), {buffer, place(held, op.me.value)}});
  }
  int step = 0;
  for (const std::vector<int>& children : std::views::reverse(node.children)) {
    const int child = children.front();
    std::vector<BlockRange> blocks = bine_subtree(op, child, step);
    for (BlockRange& run : blocks) run.first = place(held, run.first);
    schedule.rounds.emplace_back().recv(rank_at(child), buffer, blocks);
    if (goes_on(child)) ++step;
  }
  if (!op.at_root()) {
    schedule.round({Send{rank_at(node.parent), {buffer, 0}, place(held, op.procs)}});
  }
  return schedule;
}

/// The binomial tree's: other ranks meet in each step.
Formula formula(const Problem& op) { return binomial.formula(op); }

}  // namespace

const Algorithm bine{.name = "bine",
                     .requirement = kAnyProcs,
                     .build = build,
                     .formula = formula,
                     .formula_text = "p = 2^k: lg p fa alpha + (p-1)/p fb m beta",
                     .source = "[desensi2025]"};

}  // namespace breakeven::kernels::gather
