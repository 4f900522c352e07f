// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/allreduce/algorithms.hpp"
#include "kernels/fold.hpp"

namespace breakeven::kernels::allreduce {

namespace {

/// Recursive doubling: in round k each rank swaps its partial result with the rank 2^k away, and
/// both reduce the same two operands.
///
///     distance 1   0 <-> 1   2 <-> 3
///     distance 2   0 <-> 2   1 <-> 3
///
/// For other p the odd ranks of the first pairs hand in their vector before and get the result
/// after.
///
/// Needs   any p.
/// Cost    lg p rounds, lg p m sent and reduced; for other p two rounds, m sent and m reduced more.
/// Source  [rabenseifner2004], section 2.4.
Schedule build(const Problem& op) {
  Schedule schedule{.blocks = 1, .scratch = {{0, 1}}, .rounds = {}};
  const Fold fold{op.procs};
  if (op.procs == 1) schedule.local(Copy{input(0), output(0)});
  if (fold.leaves(op.me)) {
    schedule.round({Send{Fold::partner(op.me), input(0)}});
    schedule.round({Recv{Fold::partner(op.me), output(0)}});
    return schedule;
  }

  Location partial = input(0);
  if (fold.paired(op.me)) {
    schedule.round({Recv{Fold::partner(op.me), scratch(0)}},
                   {Reduce{partial, scratch(0), output(0)}});
    partial = output(0);
  }
  const int me = fold.number(op.me);
  for (int distance = 1; distance < fold.stay(); distance *= 2) {
    const int twin = me ^ distance;
    const Reduce in_rank_order =
        me < twin ? Reduce{partial, scratch(0), output(0)} : Reduce{scratch(0), partial, output(0)};
    schedule.round({Send{fold.rank(twin), partial}, Recv{fold.rank(twin), scratch(0)}},
                   {in_rank_order});
    partial = output(0);
  }
  if (fold.paired(op.me)) schedule.round({Send{Fold::partner(op.me), output(0)}});
  return schedule;
}

Formula formula(const Problem& op) {
  const double steps = ceil_log2(op.procs);  // the one that makes p a power of two included
  const double result = Fold{op.procs}.stay() == op.procs ? 0 : 1;
  return {.messages = steps + result,
          .sent = steps + result,
          .reduced = steps,
          .one_way_messages = result,
          .one_way_sent = result};
}

}  // namespace

const Algorithm recursive_doubling{
    .name = "recursive_doubling",
    .requirement = kAnyProcs,
    .order_preserving = true,
    .bitwise_identical = true,
    .build = build,
    .formula = formula,
    .formula_text = "ceil(lg p) (alpha + m beta + m gamma); p no 2^k: + fa alpha + fb m beta",
    .source = "[rabenseifner2004] 2.4"};

}  // namespace breakeven::kernels::allreduce
