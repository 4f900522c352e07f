// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "kernels/binomial_tree.hpp"
#include "kernels/gather/algorithms.hpp"
#include "kernels/gather/collect.hpp"

namespace breakeven::kernels::gather {

namespace {

/// Binomial tree: in round k every rank whose distance v from the root is an odd multiple of 2^k
/// sends the blocks of its subtree to the rank at v - 2^k, and has done its part.
///
///     v        0   1   2   3   4   5      v = distance from the root
///     round 0    <-      <-      <-       one block
///     round 1    <-------        (4 <- 6) blocks of v = 2, 3
///     round 2    <---------------         blocks of v = 4, 5
///
/// Needs   any p.
/// Cost    ceil(lg p) messages, (p-1)/p m received (by the root).
/// Source  [rabenseifner2004], section 2.5 (the binary tree of the reduce), on any p.
Schedule build(const Problem& op) {
  const BinomialTree tree{op.procs};
  const int v = op.behind(op.root.value).value;
  const int reach = tree.reach(v);
  const int held = tree.size(v);
  const RingRange subtree{op.me, held, op.procs};
  const bool leaf = held == 1;
  Schedule schedule{.blocks = op.procs, .scratch = {}, .rounds = {}};
  if (op.at_root()) {
    schedule.local(Copy{input(0), output(op.me.value)});
  } else if (!leaf) {
    schedule.scratch = subtree.slots();
    schedule.local(Copy{input(0), scratch(0)});
  }
  for (int distance = 1; distance < held; distance *= 2) {
    const Rank child = op.ahead(distance);
    collect(schedule.rounds.emplace_back(), op, child,
            {child, std::min(distance, held - distance), op.procs}, distance);
  }
  if (!op.at_root()) {
    pass_on(schedule.rounds.emplace_back(), op, op.behind(reach), subtree,
            leaf ? input(0) : scratch(0));
  }
  return schedule;
}

/// The source states one where p is a power of two, and doesn't know of ranges in two messages.
Formula formula(const Problem& op) {
  if (!kPowerOfTwo.met(op.procs)) return {};
  const double sent = (op.procs - 1.0) / op.procs;
  Formula formula{.sent = sent, .one_way_sent = sent};
  if (op.root == Rank{0}) {
    formula.messages = ceil_log2(op.procs);
    formula.one_way_messages = ceil_log2(op.procs);
  }
  return formula;
}

}  // namespace

const Algorithm binomial{.name = "binomial",
                         .requirement = kAnyProcs,
                         .build = build,
                         .formula = formula,
                         .formula_text = "p = 2^k: lg p fa alpha + (p-1)/p fb m beta",
                         .source = "[rabenseifner2004] 2.5"};

}  // namespace breakeven::kernels::gather
