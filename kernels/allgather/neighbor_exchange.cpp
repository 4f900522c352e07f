// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/allgather/algorithms.hpp"

namespace breakeven::kernels::allgather {

namespace {

/// Neighbour exchange: ranks talk to the one neighbour and the other in turn. First the two of a
/// pair (0 1), (2 3), ... swap their own blocks; from then on each passes to one neighbour the two
/// blocks that it got from the other the round before.
///
///     rank        0     1     2     3     4     5
///     round 0     <----->     <----->     <----->     own block
///     round 1   >       <----->     <----->       <   own pair's blocks
///     round 2     <----->     <----->     <----->     those of round 1
///
/// Needs   p even, or 1.
/// Cost    p/2 rounds, (p-1)/p m sent.
/// Source  [chen2005]; as cited in [ricogallego2014], section II: half the stages of the ring.
Schedule build(const Problem& op) {
  Schedule schedule{.blocks = op.procs, .scratch = {}, .rounds = {}};
  const int me = op.me.value;
  schedule.local(Copy{input(0), output(me)});
  if (op.procs == 1) return schedule;

  const bool even = me % 2 == 0;
  const Rank partner{me ^ 1};
  const Rank other_neighbour = even ? op.behind(1) : op.ahead(1);
  schedule.round({Send{partner, output(me)}, Recv{partner, output(partner.value)}});
  const int pairs = op.procs / 2;
  int newest = me / 2;  // the pair whose blocks came last
  for (int round = 1; round < pairs; ++round) {
    // In turn from the pairs before and after mine, at distances 1, 1, 2, 2, ...
    const bool from_other = round % 2 == 1;
    const bool before = from_other == even;
    const int distance = (round + 1) / 2;
    const int next = (me / 2 + (before ? pairs - distance : distance)) % pairs;
    const Rank neighbour = from_other ? other_neighbour : partner;
    schedule.round({Send{neighbour, output(2 * newest), 2}, Recv{neighbour, output(2 * next), 2}});
    newest = next;
  }
  return schedule;
}

Formula formula(const Problem& op) {
  const double p = op.procs;
  return {.messages = op.procs / 2, .sent = (p - 1) / p};
}

}  // namespace

const Algorithm neighbor_exchange{.name = "neighbor_exchange",
                                  .requirement = kEvenProcs,
                                  .build = build,
                                  .formula = formula,
                                  .formula_text = "p/2 alpha + (p-1)/p m beta",
                                  .source = "[chen2005]; [ricogallego2014] II"};

}  // namespace breakeven::kernels::allgather
