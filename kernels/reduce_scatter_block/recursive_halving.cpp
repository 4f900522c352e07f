// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "kernels/fold.hpp"
#include "kernels/reduce_scatter_block/algorithms.hpp"

namespace breakeven::kernels::reduce_scatter_block {

namespace {

/// The vector in the hands of one rank: partial results lie in the input until the first trade,
/// then in slots of their own; what arrives to be reduced lies in the slots before.
class Partial {
 public:
  Partial(Schedule& schedule, int procs) : schedule_{&schedule}, procs_{procs} {
    schedule.scratch = {{0, procs}, {0, procs}};
  }

  [[nodiscard]] Location slot(int block) const { return scratch(procs_ + block); }
  [[nodiscard]] Location at(int block) const { return traded_ ? slot(block) : input(block); }
  /// Swaps blocks with a twin, and reduces those kept.
  void trade(Rank twin, BlockRange give, BlockRange keep, Location into) {
    const Location own = at(keep.first);
    const Location other = scratch(keep.first);
    schedule_->round({Send{twin, at(give.first), give.count}, Recv{twin, other, keep.count}},
                     {Reduce{own, other, into, keep.count}});
    traded_ = true;
  }

 private:
  Schedule* schedule_;
  int procs_;
  bool traded_ = false;
};

/// The blocks of the ranks that the numbers first .. first+count-1 stand for, pairs for both.
BlockRange blocks_of(const Fold& fold, int first, int count) {
  const int begin = fold.rank(first).value;
  return {begin, fold.rank(first + count).value - begin};
}

/// Recursive halving: groups of p', p'/2, ... ranks are cut in two, each rank swaps with its twin
/// in the other half the blocks of the two halves' ranks, and reduces those of its own.
///
///     p = 4        0        1        2        3
///     distance 2   A B      A B      C D      C D        of ranks 0 2 | 1 3 | 0 2 | 1 3
///     distance 1   A        B        C        D          of all
///
/// Distances are halved, not doubled, so that the blocks end in rank order.
///
/// Needs   any p; a commutative operation. p' = 2^floor(lg p) processes do this, see Fold, one of a
///         pair for both.
/// Cost    lg p' rounds, (p-1)/p m sent and reduced; for other p three rounds, ceil(p/2)/p m sent
///         and floor(p/2)/p m reduced more, and up to p'/2 - 1 blocks, as pairs keep two each.
/// Source  [rabenseifner2004], section 2.2 and footnote 1; the first step for other p is that of
///         section 2.5. [traff2023], Table I (butterfly).
Schedule build(const Problem& op) {
  const Fold fold{op.procs};
  Schedule schedule{.blocks = op.procs, .scratch = {}, .rounds = {}};
  if (op.procs == 1) {
    schedule.local(Copy{input(0), output(0)});
    return schedule;
  }
  Partial partial{schedule, op.procs};
  const Rank partner = Fold::partner(op.me);
  if (fold.paired(op.me)) {
    const BlockRange lower{0, op.procs / 2};
    const BlockRange upper{lower.count, op.procs - lower.count};
    if (fold.leaves(op.me)) {
      partial.trade(partner, lower, upper, partial.slot(upper.first));
      schedule.round({Send{partner, partial.at(upper.first), upper.count}});
      schedule.round({Recv{partner, output(0)}});
      return schedule;
    }
    partial.trade(partner, upper, lower, partial.slot(lower.first));
    schedule.round({Recv{partner, partial.at(upper.first), upper.count}});
  }
  const int me = fold.number(op.me);
  for (int distance = fold.stay() / 2; distance >= 1; distance /= 2) {
    const int twin = me ^ distance;
    const auto half_with = [&](int number) {
      return blocks_of(fold, number & ~(distance - 1), distance);
    };
    const BlockRange keep = half_with(me);
    partial.trade(fold.rank(twin), half_with(twin), keep,
                  keep.count == 1 ? output(0) : partial.slot(keep.first));
  }
  if (fold.paired(op.me)) {
    schedule.round({Send{partner, partial.at(partner.value)}},
                   {Copy{partial.at(op.me.value), output(0)}});
  }
  return schedule;
}

/// Table I's "standard": for p that is no power of two a bound.
Formula formula(const Problem& op) {
  const double p = op.procs;
  const double steps = ceil_log2(op.procs);
  if (Fold{op.procs}.stay() == op.procs) {
    return {.messages = steps, .sent = (p - 1) / p, .reduced = (p - 1) / p};
  }
  const double moved = 0.5 + (std::exp2(steps) - 1) * 2 / p;
  return {.messages = steps + 2,
          .sent = moved + 1 / p,
          .reduced = moved,
          .sent_at_most = true,
          .reduced_at_most = true};
}

}  // namespace

const Algorithm recursive_halving{
    .name = "recursive_halving",
    .requirement = kAnyProcs,
    .build = build,
    .formula = formula,
    .formula_text =
        "p = 2^k: lg p alpha + (p-1)/p (m beta + m gamma); else <= (ceil(lg p) + 2) alpha "
        "+ (c + 1/p) m beta + c m gamma, c = 1/2 + (2^ceil(lg p) - 1) 2/p",
    .source = "[rabenseifner2004] 2.2; [traff2023] Table I, butterfly"};

}  // namespace breakeven::kernels::reduce_scatter_block
