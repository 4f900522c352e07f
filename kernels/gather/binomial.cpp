// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "kernels/binomial_tree.hpp"
#include "kernels/gather/algorithms.hpp"
#include "kernels/gather/collect.hpp"

namespace breakeven::gather {

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
/// Cost    ceil(lg p) rounds; s/p m sent by the largest subtree below the root, of s ranks.
/// Source  Rabenseifner, ICCS 2004, section 2.5 (the binary tree of the reduce), on any p.
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

Cost cost(const Problem& op) {
  if (op.procs == 1) return {};
  const double subtree = BinomialTree{op.procs}.largest_size();
  return {.rounds = ceil_log2(op.procs), .sent = subtree / op.procs};
}

}  // namespace

const Algorithm binomial{.name = "binomial",
                         .needs = kAnyProcs,
                         .build = build,
                         .cost = cost,
                         .source = "Rabenseifner 2004, section 2.5"};

}  // namespace breakeven::gather
