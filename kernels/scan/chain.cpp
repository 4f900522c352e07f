// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/scan/algorithms.hpp"

namespace breakeven::kernels::scan {

namespace {

/// Chain: each rank adds its vector to what the rank before it has, and sends the result on.
///
///     0 -> 1 -> 2 -> 3      0, 01, 012, 0123
///
/// Needs   any p.
/// Cost    p-1 rounds, (p-1) m sent and reduced; of s segments p-2+s rounds of m/s.
/// Source  [sanders2006], linear pipeline.
Schedule build(const Problem& op) {
  Schedule schedule{.blocks = 1, .scratch = {{0, 1}}, .rounds = {}};
  if (op.me == Rank{0}) {
    schedule.local(Copy{input(0), output(0)});
  } else {
    schedule.round({Recv{op.behind(1), scratch(0)}}, {Reduce{scratch(0), input(0), output(0)}});
  }
  const Location sum = op.me == Rank{0} ? input(0) : output(0);
  if (op.me.value + 1 < op.procs) schedule.round({Send{op.ahead(1), sum}});
  return schedule;
}

Formula formula(const Problem& op) {
  const double rounds = op.procs - 1;
  return {.messages = rounds,
          .sent = rounds,
          .reduced = rounds,
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
                      .formula_text = "(p-1) (fa alpha + fb m beta + m gamma)",
                      .source = "[sanders2006] 2"};

}  // namespace breakeven::kernels::scan
