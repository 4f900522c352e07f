// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "kernels/fold.hpp"
#include "kernels/reduce/algorithms.hpp"
#include "kernels/reduce/gather_halves.hpp"
#include "kernels/rewrite/aside.hpp"

namespace breakeven::reduce {

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
/// Cost    2 lg p' rounds, (3/2 - 1/p') m sent, (1 - 1/p') m reduced. For other p 1/2 m reduced
///         more, and by those that were one of a pair up to 2 rounds and 1/2 m sent more: the
///         nearer one is to the root in the tree, the longer it has to do, see cost().
/// Source  Rabenseifner, ICCS 2004, section 2.5 and Fig. 1.
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

/// The digits, from the lowest, in which a process's number differs from the root's: it leaves the
/// gather in the last but so many of its steps, with 2^-digits of the vector.
int digits_apart(int number, int root) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(number ^ root)));
}

Cost cost(const Problem& op) {
  if (op.procs == 1) return {};
  const Roles roles{op};
  const int stay = roles.stay();
  const int pairs = op.procs - stay;
  const int root = roles.number(op.root);
  Cost cost{.rounds = 2 * ceil_log2(stay), .sent = 1.5 - 1.0 / stay, .reduced = 1 - 1.0 / stay};
  if (pairs == 0) return cost;
  // Two rounds and m/2 more lie behind those of a pair, whose numbers are the first; the nearest
  // to the root stays in the gather for longest.
  const int nearest_other = (root ^ 1) < pairs ? root ^ 1 : std::min(root, pairs) - 1;
  const int nearest = root < pairs ? root : nearest_other;
  cost.rounds += std::clamp(3 - digits_apart(nearest, root), 0, 2);
  if (nearest_other >= 0) cost.sent += std::ldexp(1.0, -digits_apart(nearest_other, root));
  cost.reduced += 0.5;
  return cost;
}

}  // namespace

const Algorithm halving_doubling{.name = "halving_doubling",
                                 .needs = kAnyProcs,
                                 .ordered = true,
                                 .build = build,
                                 .cost = cost,
                                 .source = "Rabenseifner 2004, section 2.5"};

}  // namespace breakeven::reduce
