// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "kernels/allreduce/algorithms.hpp"

namespace breakeven::kernels::allreduce {

namespace {

/// Fixed tree: recursive doubling as if p were a power of two, with absent ranks left out. Where p
/// cuts the upper one of two groups, its ranks send to those of the lower one in turn. The operands
/// of given ranks meet in the same pairs at every p.
///
///     p = 6
///     distance 1   0 <-> 1   2 <-> 3   4 <-> 5
///     distance 2   0 <-> 2   1 <-> 3
///     distance 4   0 <-> 4   1 <-> 5   4 -> 2   5 -> 3
///
/// Needs   any p; a power of two makes it recursive_doubling.
/// Cost    ceil(lg p) rounds, in each m reduced. A rank of a cut group has several messages in a
///         round: at p = 2^k + 1 the last one sends 2^k at once.
/// Source  [rabenseifner2004], section 2.4; the aim: [balaji2013].
Schedule build(const Problem& op) {
  Schedule schedule{.blocks = 1, .scratch = {{0, 1}}, .rounds = {}};
  if (op.procs == 1) schedule.local(Copy{input(0), output(0)});
  Location partial = input(0);
  for (int distance = 1; distance < op.procs; distance *= 2) {
    const int lower = op.me.value & ~(2 * distance - 1);  // the first rank of each group
    const int upper = lower + distance;
    const int in_upper = std::min(distance, op.procs - upper);
    if (in_upper <= 0) continue;
    Round& round = schedule.rounds.emplace_back();
    const bool is_lower = op.me.value < upper;
    const int place = op.me.value - (is_lower ? lower : upper);
    if (!is_lower) {
      for (int to = place; to < distance; to += in_upper) {
        round.comm.emplace_back(Send{Rank{lower + to}, partial});
      }
    } else if (place < in_upper) {
      round.comm.emplace_back(Send{Rank{upper + place}, partial});
    }
    const Rank source{is_lower ? upper + place % in_upper : lower + place};
    round.comm.emplace_back(Recv{source, scratch(0)});
    round.local.emplace_back(is_lower ? Reduce{partial, scratch(0), output(0)}
                                      : Reduce{scratch(0), partial, output(0)});
    partial = output(0);
  }
  return schedule;
}

}  // namespace

const Algorithm fixed_tree{.name = "fixed_tree",
                           .requirement = kAnyProcs,
                           .order_preserving = true,
                           .bitwise_identical = true,
                           .fixed_tree = true,
                           .build = build,
                           .source = "[rabenseifner2004] 2.4; [balaji2013]"};

}  // namespace breakeven::kernels::allreduce
