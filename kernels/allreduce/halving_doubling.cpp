// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/allreduce/algorithms.hpp"
#include "kernels/fold.hpp"
#include "kernels/halving.hpp"

namespace breakeven::kernels::allreduce {

namespace {

/// Halving and doubling: reduce-scatter by vector halving and distance doubling, then allgather
/// along the same path back.
///
///     p = 4     send   C-D <-> A-B    |  B <-> A (distance 2)  |  back: A <-> B, A-B <-> C-D
///     rank 0    has    A-B of 0,1     |  A of 0..3             |  A-B            A-D
///
/// Needs   any p: p' = 2^floor(lg p) processes do this on p' blocks, see Fold.
/// Cost    2 lg p' messages, 2(1 - 1/p') m sent, (1 - 1/p') m reduced; for other p three messages,
///         2 m sent and 1/2 m reduced more.
/// Source  [rabenseifner2004], section 2.5 and Fig. 1.
Schedule build(const Problem& op) {
  const Fold fold{op.procs};
  const BlockRange vector{0, fold.stay()};
  Schedule schedule{.blocks = vector.count, .scratch = {{0, vector.count}}, .rounds = {}};
  if (op.procs == 1) schedule.local(Copy{input(0), output(0)});
  Buffer partial = Buffer::input;
  if (fold.paired(op.me)) {
    hand_in(schedule, op.me, Fold::partner(op.me), vector, !fold.leaves(op.me));
    partial = Buffer::output;
  }
  if (fold.leaves(op.me)) {
    schedule.round({Recv{Fold::partner(op.me), output(0), vector.count}});
    return schedule;
  }

  const int me = fold.number(op.me);
  BlockRange held = vector;
  for (int distance = 1; distance < fold.stay(); distance *= 2) {
    held = halve(schedule, op.me, fold.rank(me ^ distance), held, partial);
    partial = Buffer::output;
  }
  for (int distance = fold.stay() / 2; distance >= 1; distance /= 2) {
    held = rejoin(schedule, op.me, fold.rank(me ^ distance), held);
  }
  if (fold.paired(op.me)) {
    schedule.round({Send{Fold::partner(op.me), output(0), vector.count}});
  }
  return schedule;
}

Formula formula(const Problem& op) {
  const int stay = Fold{op.procs}.stay();
  const double most = 1 - 1.0 / stay;
  const bool folded = stay != op.procs;
  return {.messages = 2 * ceil_log2(stay) + (folded ? 3 : 0),
          .sent = 2 * most + (folded ? 2 : 0),
          .reduced = most + (folded ? 0.5 : 0),
          .one_way_messages = folded ? 1. : 0.,
          .one_way_sent = folded ? 0.5 : 0.};
}

}  // namespace

const Algorithm halving_doubling{
    .name = "halving_doubling",
    .requirement = kAnyProcs,
    .order_preserving = true,
    .bitwise_identical = true,
    .build = build,
    .formula = formula,
    .formula_text =
        "2 lg p' alpha + (2 - 2/p') m beta + (1 - 1/p') m gamma, p' = 2^floor(lg p); "
        "p' < p: + (2 + fa) alpha + (3 + fb)/2 m beta + m/2 gamma",
    .source = "[rabenseifner2004] 2.5"};

}  // namespace breakeven::kernels::allreduce
