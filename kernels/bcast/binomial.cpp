// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/bcast/algorithms.hpp"
#include "kernels/binomial_tree.hpp"

namespace breakeven::kernels::bcast {

namespace {

/// Binomial tree: a rank that has the vector sends it on, to the far half first.
///
///     v        0   1   2   3   4   5      v = distance from the root
///     round 0    --------------->
///     round 1    ------->        (4 -> 6)
///     round 2    ->      ->      ->
///
/// Needs   any p.
/// Cost    ceil(lg p) rounds, ceil(lg p) m sent (by the root).
/// Source  [rabenseifner2004], section 2.3.
Schedule build(const Problem& op) {
  Schedule schedule{.blocks = 1, .scratch = {}, .rounds = {}};
  const int v = op.behind(op.root.value).value;
  const Location vector = op.at_root() ? input(0) : output(0);
  const int reach = BinomialTree{op.procs}.reach(v);
  if (!op.at_root()) schedule.round({Recv{op.behind(reach), vector}});
  for (int distance = reach / 2; distance >= 1; distance /= 2) {
    if (v + distance < op.procs) schedule.round({Send{op.ahead(distance), vector}});
  }
  if (op.at_root()) schedule.local(Copy{input(0), output(0)});
  return schedule;
}

Formula formula(const Problem& op) {
  const double steps = ceil_log2(op.procs);
  return {.messages = steps, .sent = steps, .one_way_messages = steps, .one_way_sent = steps};
}

}  // namespace

const Algorithm binomial{.name = "binomial",
                         .requirement = kAnyProcs,
                         .segments = true,
                         .build = build,
                         .formula = formula,
                         .formula_text = "ceil(lg p) (fa alpha + fb m beta)",
                         .source = "[rabenseifner2004] 2.3"};

}  // namespace breakeven::kernels::bcast
