// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "kernels/exscan/algorithms.hpp"

namespace breakeven::kernels::exscan {

namespace {

/// Chain: each rank gets its result from the rank before it, adds its own vector and sends that on.
///
///     0 -> 1 -> 2 -> 3      -, 0, 01, 012
///
/// Needs   any p.
/// Cost    p-1 rounds, (p-1) m sent, (p-2) m reduced; of s segments p-2+s rounds of m/s.
/// Source  [sanders2006], linear pipeline.
Schedule build(const Problem& op) {
  Schedule schedule{.blocks = 1, .scratch = {{0, 1}}, .rounds = {}};
  const bool first = op.me == Rank{0};
  const bool last = op.me.value + 1 == op.procs;
  if (!first) schedule.round({Recv{op.behind(1), output(0)}});
  if (last) return schedule;
  if (!first) schedule.local(Reduce{output(0), input(0), scratch(0)});
  schedule.round({Send{op.ahead(1), first ? input(0) : scratch(0)}});
  return schedule;
}

Formula formula(const Problem& op) {
  const double rounds = op.procs - 1;
  return {.messages = rounds,
          .sent = rounds,
          .reduced = std::max(rounds - 1, 0.0),
          .one_way_messages = rounds,
          .one_way_sent = rounds};
}

}  // namespace

const Algorithm chain{.name = "chain",
                      .requirement = kAnyProcs,
                      .order_preserving = true,
                      .reorderable = false,
                      .segments = true,
                      .build = build,
                      .formula = formula,
                      .formula_text = "(p-1) (fa alpha + fb m beta) + (p-2) m gamma",
                      .source = "[sanders2006] 2"};

}  // namespace breakeven::kernels::exscan
