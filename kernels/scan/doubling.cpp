// SPDX-License-Identifier: BSD-3-Clause
#include <utility>

#include "kernels/fold.hpp"
#include "kernels/scan/algorithms.hpp"

namespace breakeven::kernels::scan {

namespace {

/// Doubling: in round k each rank sends its partial result to the rank 2^k ahead of it, so that
/// every partial result covers twice as many ranks as before.
///
///     distance 1   0 -> 1   1 -> 2   2 -> 3      0, 01, 12, 23
///     distance 2   0 -> 2   1 -> 3               0, 01, 012, 0123
///
/// Needs   any p.
/// Cost    ceil(lg p) rounds, ceil(lg p) m sent and reduced.
/// Source  [hillis1986], partial sums; "simultaneous binomial trees" in [sanders2006].
Schedule build(const Problem& op) {
  Schedule schedule{.blocks = 1, .scratch = {{0, 1}}, .rounds = {}};
  const int me = op.me.value;
  if (me == 0) schedule.local(Copy{input(0), output(0)});
  Location partial = input(0);
  for (int distance = 1; distance < op.procs; distance *= 2) {
    Round round;
    if (me + distance < op.procs) round.comm.emplace_back(Send{op.ahead(distance), partial});
    if (me >= distance) {
      round.comm.emplace_back(Recv{op.behind(distance), scratch(0)});
      round.local.emplace_back(Reduce{scratch(0), partial, output(0)});
      partial = output(0);
    }
    schedule.rounds.push_back(std::move(round));
  }
  return schedule;
}

Formula formula(const Problem& op) {
  const double rounds = ceil_log2(op.procs);
  return {.messages = rounds, .sent = rounds, .reduced = rounds};
}

}  // namespace

const Algorithm doubling{.name = "doubling",
                         .requirement = kAnyProcs,
                         .order_preserving = true,
                         .reorderable = false,
                         .build = build,
                         .formula = formula,
                         .formula_text = "ceil(lg p) (alpha + m beta + m gamma)",
                         .source = "[hillis1986]; [sanders2006] 2"};

}  // namespace breakeven::kernels::scan
