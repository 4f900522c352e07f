// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/fold.hpp"
#include "kernels/reduce/algorithms.hpp"

namespace breakeven::reduce {

namespace {

/// Binomial tree: in round k every rank whose distance v from the root is an odd multiple of 2^k
/// sends its partial result to the rank at v - 2^k, and has done its part.
///
///     v        0   1   2   3   4   5
///     round 0    <-      <-      <-
///     round 1    <-------
///     round 2    <---------------
///
/// Needs   any p. In rank order only when the root is rank 0.
/// Cost    ceil(lg p) rounds, m sent, ceil(lg p) m reduced (by the root).
/// Source  Rabenseifner, ICCS 2004, section 2.3.
Schedule build(const Problem& op) {
  Schedule schedule{.blocks = 1, .scratch = {{0, 1}, {0, 1}}, .rounds = {}};
  const Location arriving = scratch(0);
  const Location reduced = op.at_root() ? output(0) : scratch(1);
  Location partial = input(0);
  const int v = op.behind(op.root.value).value;
  for (int distance = 1; distance < op.procs; distance *= 2) {
    if ((v & distance) != 0) {
      schedule.round({Send{op.behind(distance), partial}});
      break;
    }
    if (v + distance >= op.procs) continue;
    schedule.round({Recv{op.ahead(distance), arriving}}, {Reduce{partial, arriving, reduced}});
    partial = reduced;
  }
  if (op.procs == 1) schedule.local(Copy{input(0), output(0)});
  return schedule;
}

Cost cost(const Problem& op) {
  const int steps = ceil_log2(op.procs);
  return {.rounds = steps, .sent = op.procs > 1 ? 1.0 : 0.0, .reduced = 1.0 * steps};
}

}  // namespace

const Algorithm binomial{.name = "binomial",
                         .needs = kAnyProcs,
                         .segments = true,
                         .build = build,
                         .cost = cost,
                         .source = "Rabenseifner 2004, section 2.3"};

}  // namespace breakeven::reduce
