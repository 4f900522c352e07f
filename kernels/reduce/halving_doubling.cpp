// SPDX-License-Identifier: BSD-3-Clause
#include <utility>

#include "kernels/fold.hpp"
#include "kernels/reduce/algorithms.hpp"
#include "kernels/reduce/gather_halves.hpp"
#include "kernels/rewrite/rewrite.hpp"

namespace breakeven::kernels::reduce {

namespace {

/// The ranks' roles in the fold: of the pair whose odd one is the root, the even one leaves.
class Roles {
 public:
  explicit Roles(const Problem& op) : fold_{op.procs}, root_{op.root} {}

  [[nodiscard]] int stay() const { return fold_.stay(); }
  [[nodiscard]] bool paired(Rank rank) const { return fold_.paired(rank); }
  [[nodiscard]] bool leaves(Rank rank) const { return fold_.leaves(role(rank)); }
  [[nodiscard]] int number(Rank rank) const { return fold_.number(role(rank)); }
  [[nodiscard]] Rank rank(int number) const { return role(fold_.rank(number)); }

 private:
  [[nodiscard]] Rank role(Rank rank) const {
    const bool exchanged = fold_.leaves(root_) && (rank == root_ || rank == Fold::partner(root_));
    return exchanged ? Fold::partner(rank) : rank;
  }

  Fold fold_;
  Rank root_;
};

/// Halving and doubling: reduce-scatter by vector halving and distance doubling, then a binary tree
/// gathers the parts back along the same path.
///
///     p = 4     send   C-D <-> A-B    |  B <-> A (distance 2)  |  back: 2 -> 0, then 1 -> 0
///     rank 0    has    A-B of 0,1     |  A of 0..3             |  A-B           A-D
///
/// Needs   any p: p' = 2^floor(lg p) processes do this on p' blocks, see Fold; the root stays, its
///         partner leaves in its place.
/// Cost    2 lg p' messages, (2 - 2/p') m sent, (1 - 1/p') m reduced; for other p two messages, m
///         sent and 1/2 m reduced more.
/// Source  [rabenseifner2004], section 2.5 and Fig. 1.
Schedule build(const Problem& op) {
  const Roles roles{op};
  const BlockRange vector{0, roles.stay()};
  Schedule schedule{.blocks = vector.count, .scratch = {{0, vector.count}}, .rounds = {}};
  if (op.procs == 1) schedule.local(Copy{input(0), output(0)});
  Buffer partial = Buffer::input;
  if (roles.paired(op.me)) {
    hand_in(schedule, op.me, Fold::partner(op.me), vector, !roles.leaves(op.me));
    partial = Buffer::output;
  }
  if (!roles.leaves(op.me)) {
    const int me = roles.number(op.me);
    const auto rank = [&](int number) { return roles.rank(number); };
    BlockRange held = vector;
    for (int distance = 1; distance < roles.stay(); distance *= 2) {
      held = halve(schedule, op.me, rank(me ^ distance), held, partial);
      partial = Buffer::output;
    }
    gather_halves(schedule, me, roles.number(op.root), held, rank);
  }
  if (!op.at_root()) return without_output(std::move(schedule));
  return schedule;
}

Formula formula(const Problem& op) {
  const int stay = Fold{op.procs}.stay();
  const double most = 1 - 1.0 / stay;
  const bool folded = stay != op.procs;
  return {.messages = 2 * ceil_log2(stay) + (folded ? 2 : 0),
          .sent = 2 * most + (folded ? 1 : 0),
          .reduced = most + (folded ? 0.5 : 0),
          .one_way_messages = ceil_log2(stay) + (folded ? 1. : 0.),
          .one_way_sent = most + (folded ? 0.5 : 0)};
}

}  // namespace

const Algorithm halving_doubling{
    .name = "halving_doubling",
    .requirement = kAnyProcs,
    .order_preserving = true,
    .build = build,
    .formula = formula,
    .formula_text =
        "lg p' (1 + fa) alpha + (1 - 1/p') ((1 + fb) m beta + m gamma), p' = 2^floor(lg p); "
        "p' < p: + (1 + fa) alpha + (1 + fb)/2 m beta + m/2 gamma",
    .source = "[rabenseifner2004] 2.5"};

}  // namespace breakeven::kernels::reduce
