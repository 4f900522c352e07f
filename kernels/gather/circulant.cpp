// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/circulant.hpp"

#include "kernels/allgather/algorithms.hpp"
#include "kernels/gather/algorithms.hpp"
#include "kernels/gather/collect.hpp"

namespace breakeven::kernels::gather {

namespace {

/// Circulant graph: the allgather's rounds, with only the blocks for the root. Each rank collects
/// the blocks of the ranks that follow it until it passes them on, in one message; where its own
/// block may not be among them, it went ahead in round 0.
///
///     p = 9     v  0   1   2   3   4   5   6   7   8     v = distance from the root
///     round 0      <-  <-  <-  <-  <-  <-  <-  <-        jump 1: own block
///     round 1      <-      <-      <-      <-            jump 1: block v+1
///     round 2      <------         <------               jump 2: blocks v+1, v+2
///     round 3      <--------------                       jump 4: blocks v+1 .. v+4
///
/// Needs   any p.
/// Cost    q = ceil(lg p) messages, (p-1)/p m received (by the root).
/// Source  [traff2023], section III-F; the path to the root is III-C's, Listing 4.
Schedule build(const Problem& op) {
  const Circulant graph{op.procs};
  const int last = graph.last_round(op.behind(op.root.value).value);
  const bool own_ahead = !op.at_root() && graph.without_own(last);
  const bool leaf = last == 0 && !op.at_root();
  const int first = own_ahead ? 1 : 0;  // distance to the first rank whose block is collected
  const RingRange collected{op.ahead(first), graph.skip(last) - first, op.procs};

  Schedule schedule{.blocks = op.procs, .scratch = {}, .rounds = {}};
  if (!op.at_root() && !leaf) schedule.scratch = collected.slots();
  if (op.at_root()) {
    schedule.local(Copy{input(0), output(op.me.value)});
  } else if (!leaf && !own_ahead) {
    schedule.local(Copy{input(0), scratch(0)});
  }
  for (int k = 0; k < last; ++k) {
    Round& round = schedule.rounds.emplace_back();
    if (k == 0 && own_ahead) round.comm.emplace_back(Send{op.behind(graph.jump(0)), input(0)});
    const RingRange range{op.ahead(graph.skip(k)), graph.skip(k + 1) - graph.skip(k), op.procs};
    collect(round, op, op.ahead(graph.jump(k)), range, graph.skip(k) - first);
  }
  if (!op.at_root()) {
    schedule.round(
        {Send{op.behind(graph.jump(last)), leaf ? input(0) : scratch(0), collected.count()}});
  }
  return schedule;
}

/// The allgather's, of which it is a part.
Formula formula(const Problem& op) { return allgather::circulant.formula(op); }

}  // namespace

const Algorithm circulant{.name = "circulant",
                          .requirement = kAnyProcs,
                          .build = build,
                          .formula = formula,
                          .formula_text = "ceil(lg p) alpha + (p-1)/p m beta",
                          .source = "[traff2023] III-F"};

}  // namespace breakeven::kernels::gather
