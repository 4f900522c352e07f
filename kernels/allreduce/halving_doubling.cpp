// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/allreduce/algorithms.hpp"
#include "kernels/fold.hpp"

namespace breakeven::allreduce {

namespace {

/// The blocks that one of a pair keeps when a range is halved: the lower half, or the upper one.
BlockRange half(BlockRange range, bool upper) {
  const int count = range.count / 2;
  return {range.first + (upper ? count : 0), count};
}

/// Before the first step of other p: both of a pair reduce one half for the two, then the odd one
/// hands its half to the even one and leaves.
void hand_in(Schedule& schedule, const Problem& op, BlockRange vector) {
  const bool odd = op.me.value % 2 == 1;
  const Rank partner = Fold::partner(op.me);
  const BlockRange mine = half(vector, odd);
  const BlockRange theirs = half(vector, !odd);
  const Location own = input(mine.first);
  const Location other = scratch(mine.first);
  schedule.round(
      {Send{partner, input(theirs.first), theirs.count}, Recv{partner, other, mine.count}},
      {Reduce{odd ? other : own, odd ? own : other, output(mine.first), mine.count}});
  if (odd) {
    schedule.round({Send{partner, output(mine.first), mine.count}});
    schedule.round({Recv{partner, output(0), vector.count}});
  } else {
    schedule.round({Recv{partner, output(theirs.first), theirs.count}});
  }
}

/// Halving and doubling: reduce-scatter by vector halving and distance doubling, then allgather
/// along the same path back.
///
///     p = 4     send   C-D <-> A-B    |  B <-> A (distance 2)  |  back: A <-> B, A-B <-> C-D
///     rank 0    has    A-B of 0,1     |  A of 0..3             |  A-B            A-D
///
/// Needs   any p: p' = 2^floor(lg p) processes do this on p' blocks, see Fold.
/// Cost    2 lg p' rounds, 2(1 - 1/p') m sent, (1 - 1/p') m reduced; for other p three rounds,
///         3/2 m sent and 1/2 m reduced more.
/// Source  Rabenseifner, ICCS 2004, section 2.5 and Fig. 1.
Schedule build(const Problem& op) {
  const Fold fold{op.procs};
  const BlockRange vector{0, fold.stay()};
  Schedule schedule{.blocks = vector.count, .scratch = {{0, vector.count}}, .rounds = {}};
  if (op.procs == 1) schedule.local(Copy{input(0), output(0)});
  Buffer partial = Buffer::input;
  if (fold.paired(op.me)) {
    hand_in(schedule, op, vector);
    partial = Buffer::output;
  }
  if (fold.leaves(op.me)) return schedule;

  const int me = fold.number(op.me);
  BlockRange held = vector;
  for (int distance = 1; distance < fold.stay(); distance *= 2) {
    const int twin = me ^ distance;
    const bool upper = twin < me;
    const BlockRange keep = half(held, upper);
    const BlockRange give = half(held, !upper);
    const Location own{partial, keep.first};
    const Location other = scratch(keep.first);
    schedule.round(
        {Send{fold.rank(twin), {partial, give.first}, give.count},
         Recv{fold.rank(twin), other, keep.count}},
        {Reduce{upper ? other : own, upper ? own : other, output(keep.first), keep.count}});
    partial = Buffer::output;
    held = keep;
  }
  for (int distance = fold.stay() / 2; distance >= 1; distance /= 2) {
    const int twin = me ^ distance;
    const int missing = twin < me ? held.first - held.count : held.first + held.count;
    schedule.round({Send{fold.rank(twin), output(held.first), held.count},
                    Recv{fold.rank(twin), output(missing), held.count}});
    held = {std::min(held.first, missing), 2 * held.count};
  }
  if (fold.paired(op.me)) {
    schedule.round({Send{Fold::partner(op.me), output(0), vector.count}});
  }
  return schedule;
}

Cost cost(const Problem& op) {
  const int stay = Fold{op.procs}.stay();
  const double most = 1 - 1.0 / stay;
  const bool folded = stay != op.procs;
  return {.rounds = 2 * ceil_log2(stay) + (folded ? 3 : 0),
          .sent = 2 * most + (folded ? 1.5 : 0.0),
          .reduced = most + (folded ? 0.5 : 0.0)};
}

}  // namespace

const Algorithm halving_doubling{.name = "halving_doubling",
                                 .needs = kAnyProcs,
                                 .ordered = true,
                                 .identical = true,
                                 .build = build,
                                 .cost = cost,
                                 .source = "Rabenseifner 2004, section 2.5"};

}  // namespace breakeven::allreduce
