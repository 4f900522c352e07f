// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exscan/algorithms.hpp"
#include "kernels/fold.hpp"

namespace breakeven::kernels::exscan {

namespace {

/// Shift, then scan: each rank sends its vector to the next one; the ranks from 1 on do a scan, by
/// doubling, of what they got.
///
///     shift        0 -> 1   1 -> 2   2 -> 3      -, 0, 1, 2
///     distance 1   1 -> 2   2 -> 3               -, 0, 01, 12
///     distance 2   1 -> 3                        -, 0, 01, 012
///
/// Needs   any p.
/// Cost    1 + ceil(lg(p-1)) rounds with as much sent, ceil(lg(p-1)) m reduced.
/// Source  [traff2025], 1-doubling.
Schedule build(const Problem& op) {
  Schedule schedule{.blocks = 1, .scratch = {{0, 1}}, .rounds = {}};
  const int me = op.me.value;
  Round& shift = schedule.rounds.emplace_back();
  if (me + 1 < op.procs) shift.comm.emplace_back(Send{op.ahead(1), input(0)});
  if (me == 0) return schedule;
  shift.comm.emplace_back(Recv{op.behind(1), output(0)});
  for (int distance = 1; distance < op.procs - 1; distance *= 2) {
    Round round;
    if (me + distance < op.procs) round.comm.emplace_back(Send{op.ahead(distance), output(0)});
    if (me > distance) {
      round.comm.emplace_back(Recv{op.behind(distance), scratch(0)});
      round.local.emplace_back(Reduce{scratch(0), output(0), output(0)});
    }
    schedule.rounds.push_back(std::move(round));
  }
  return schedule;
}

Formula formula(const Problem& op) {
  if (op.procs == 1) return {.messages = 0, .sent = 0, .reduced = 0};
  const double rounds = ceil_log2(op.procs - 1);
  return {.messages = rounds + 1, .sent = rounds + 1, .reduced = rounds};
}

}  // namespace

const Algorithm shifted_doubling{
    .name = "shifted_doubling",
    .requirement = kAnyProcs,
    .order_preserving = true,
    .reorderable = false,
    .build = build,
    .formula = formula,
    .formula_text = "(1 + ceil(lg(p-1))) (alpha + m beta) + ceil(lg(p-1)) m gamma",
    .source = "[traff2025]"};

}  // namespace breakeven::kernels::exscan
