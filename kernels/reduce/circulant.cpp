// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/circulant.hpp"

#include "kernels/reduce/algorithms.hpp"

namespace breakeven::kernels::reduce {

namespace {

/// Circulant graph: the allreduce's rounds, with only the parts for the root. Each rank reduces
/// all arrivals into one partial sum until it passes that on; where its own vector may not be in
/// it, this went ahead in round 0.
///
///     p = 9     v  0   1   2   3   4   5   6   7   8     v = distance from the root
///     round 0      <-  <-  <-  <-  <-  <-  <-  <-        jump 1: own vector
///     round 1      <-      <-      <-      <-            jump 1: v+1
///     round 2      <------         <------               jump 2: v+1, v+2
///     round 3      <--------------                       jump 4: v+1 .. v+4
///
/// Needs   any p. In rank order only when the root is rank 0.
/// Cost    q = ceil(lg p) messages of m each, q m reduced (by the root).
/// Source  [traff2023], section III-C, Listings 3 and 4, Table I.
Schedule build(const Problem& op) {
  const Circulant graph{op.procs};
  const int last = graph.last_round(op.behind(op.root.value).value);
  const bool own_ahead = !op.at_root() && graph.without_own(last);
  Schedule schedule{.blocks = 1, .scratch = {{0, 1}, {0, 1}}, .rounds = {}};
  const Location arriving = scratch(0);
  const Location reduced = op.at_root() ? output(0) : scratch(1);
  Location partial = input(0);
  for (int k = 0; k < last; ++k) {
    const Rank source = op.ahead(graph.jump(k));
    if (k == 0 && own_ahead) {
      schedule.round({Send{op.behind(graph.jump(k)), input(0)}, Recv{source, reduced}});
    } else {
      schedule.round({Recv{source, arriving}}, {Reduce{partial, arriving, reduced}});
    }
    partial = reduced;
  }
  if (!op.at_root()) schedule.round({Send{op.behind(graph.jump(last)), partial}});
  if (op.procs == 1) schedule.local(Copy{input(0), output(0)});
  return schedule;
}

Formula formula(const Problem& op) {
  const double steps = ceil_log2(op.procs);
  return {.messages = steps, .sent = steps, .reduced = steps};
}

}  // namespace

const Algorithm circulant{.name = "circulant",
                          .requirement = kAnyProcs,
                          .segments = true,
                          .build = build,
                          .formula = formula,
                          .formula_text = "ceil(lg p) (alpha + m beta + m gamma)",
                          .source = "[traff2023] III-C, Table I"};

}  // namespace breakeven::kernels::reduce
