// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/fold.hpp"
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
Schedule build(const Problem& op) { return collect_along(knomial_tree::node_of(op, 2), op); }

/// The source states one where p is a power of two.
Formula formula(const Problem& op) {
  if (!kPowerOfTwo.met(op.procs)) return {};
  const double steps = ceil_log2(op.procs);
  const double sent = (op.procs - 1.0) / op.procs;
  return {.messages = steps, .sent = sent, .one_way_messages = steps, .one_way_sent = sent};
}

}  // namespace

const Algorithm binomial{.name = "binomial",
                         .requirement = kAnyProcs,
                         .build = build,
                         .formula = formula,
                         .formula_text = "p = 2^k: lg p fa alpha + (p-1)/p fb m beta",
                         .source = "[rabenseifner2004] 2.5"};

}  // namespace breakeven::kernels::gather
