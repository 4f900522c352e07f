// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "kernels/fold.hpp"
#include "kernels/scatter/algorithms.hpp"

namespace breakeven::scatter {

namespace {

/// Appends the blocks of the subtree v .. v+count-1 to a round, as one message, or as two where
/// they pass rank p-1: the root's input is in rank order and can't send across its end.
///
/// @param make  (first block of the message, its offset in the subtree, its blocks) -> Comm
template <typename Make>
void append_subtree(Round& round, const Problem& op, BlockRange subtree, const Make& make) {
  const int start = (op.root.value + subtree.first) % op.procs;
  const int before_wrap = std::min(subtree.count, op.procs - start);
  round.comm.push_back(make(start, 0, before_wrap));
  if (before_wrap < subtree.count) {
    round.comm.push_back(make(0, before_wrap, subtree.count - before_wrap));
  }
}

/// Binomial tree: who holds the blocks of a subtree passes on those of its far half first.
///
///     v        0   1   2   3   4   5      v = distance from the root
///     round 0    --------------->         blocks of v = 4, 5
///     round 1    ------->        (4 -> 6) blocks of v = 2, 3
///     round 2    ->      ->      ->       one block
///
/// Needs   any p.
/// Cost    ceil(lg p) rounds, (p-1)/p m sent (by the root).
/// Source  The reverse of the gather in Rabenseifner, ICCS 2004, section 2.5 (reduce).
Schedule build(const Problem& op) {
  const int v = op.behind(op.root.value).value;
  const int me = op.me.value;
  const int reach = op.at_root() ? 1 << ceil_log2(op.procs) : v & -v;
  const int held = std::min(reach, op.procs - v);  // blocks of my subtree, in order of v
  const int until_wrap = std::min(held, op.procs - me);
  Schedule schedule{.blocks = op.procs, .scratch = {}, .rounds = {}};
  if (!op.at_root()) {
    schedule.scratch = {{me, until_wrap}, {0, held - until_wrap}};
    append_subtree(schedule.rounds.emplace_back(), op, {v, held}, [&](int, int offset, int count) {
      return Recv{op.behind(reach), scratch(offset), count};
    });
  }
  for (int distance = reach / 2; distance >= 1; distance /= 2) {
    if (distance >= held) continue;
    const BlockRange far_half{v + distance, std::min(distance, held - distance)};
    append_subtree(schedule.rounds.emplace_back(), op, far_half,
                   [&](int block, int offset, int count) {
                     const Location from = op.at_root() ? input(block) : scratch(distance + offset);
                     return Send{op.ahead(distance), from, count};
                   });
  }
  schedule.local(Copy{op.at_root() ? input(me) : scratch(0), output(0)});
  return schedule;
}

Cost cost(const Problem& op) {
  const double p = op.procs;
  return {.rounds = ceil_log2(op.procs), .sent = (p - 1) / p};
}

}  // namespace

const Algorithm binomial{.name = "binomial",
                         .needs = kAnyProcs,
                         .build = build,
                         .cost = cost,
                         .source = "Rabenseifner 2004, section 2.5, reversed"};

}  // namespace breakeven::scatter
