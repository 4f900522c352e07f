// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/circulant.hpp"

#include "kernels/allreduce/algorithms.hpp"

namespace breakeven::kernels::allreduce {

namespace {

/// The last round in which partial results travel without their sender's own part, or -1: until
/// then a rank reduces what it gets apart from its own vector.
int last_without_own(const Circulant& graph) {
  int k = graph.rounds() - 1;
  while (k >= 0 && !graph.without_own(k)) --k;
  return k;
}

/// Circulant graph: after round k rank r has S, the sum over the skips[k+1] - 1 ranks that follow
/// it, and V + S with its own vector V; it sends V + S to r - jump(k), or S where V would arrive
/// twice.
///
///     p = 5     round 0   V   -> r-1     S = V(r+1)
///               round 1   S   -> r-1     S = V(r+1) + V(r+2)
///               round 2   S   -> r-2     S = V(r+1) + ... + V(r+4), and V + S is the result
///
/// The paper reduces both in every round, though S only as long as it is still sent. Here V + S is
/// made from S when it is first needed for itself, so that most rounds reduce once.
///
/// Needs   any p; a commutative operation.
/// Cost    q = ceil(lg p) rounds, q m sent, q m reduced, and m more for each round but round 0
///         that sends V + S before another sends S; 2q m at most, as in the paper.
/// Source  [traff2023], section III-B, Listing 2, Proposition 1; [barnoy1993].
Schedule build(const Problem& op) {
  Schedule schedule{.blocks = 1, .scratch = {}, .rounds = {}};
  if (op.procs == 1) schedule.local(Copy{input(0), output(0)});
  const Circulant graph{op.procs};
  const int last = last_without_own(graph);
  schedule.scratch.assign(last < 0 ? 1 : 2, {0, 1});
  const Location others = scratch(0);  // S; what comes in round 0 is the first S
  const Location arriving = scratch(last < 0 ? 0 : 1);
  Location with_own = input(0);  // V + S
  for (int k = 0; k < graph.rounds(); ++k) {
    const Location came = k == 0 ? others : arriving;
    schedule.round({Send{op.behind(graph.jump(k)), graph.without_own(k) ? others : with_own},
                    Recv{op.ahead(graph.jump(k)), came}});
    if (k > last) {
      schedule.local(Reduce{with_own, came, output(0)});
    } else {
      if (k > 0) schedule.local(Reduce{others, came, others});
      if (k < last && graph.without_own(k + 1)) continue;
      schedule.local(Reduce{input(0), others, output(0)});
    }
    with_own = output(0);
  }
  return schedule;
}

Formula formula(const Problem& op) {
  const double q = ceil_log2(op.procs);
  return {.messages = q, .sent = q, .reduced = 2 * q, .reduced_at_most = true};
}

}  // namespace

const Algorithm circulant{.name = "circulant",
                          .requirement = kAnyProcs,
                          .build = build,
                          .formula = formula,
                          .formula_text = "<= ceil(lg p) (alpha + m beta + 2 m gamma)",
                          .source = "[traff2023] III-B, Proposition 1"};

}  // namespace breakeven::kernels::allreduce
