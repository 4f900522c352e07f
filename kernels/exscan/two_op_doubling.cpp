// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "kernels/exscan/algorithms.hpp"
#include "kernels/fold.hpp"

namespace breakeven::kernels::exscan {

namespace {

/// Doubling with two operations: in round k each rank adds its own vector to its partial result and
/// sends the sum to the rank 2^k ahead of it, which adds that to its own partial result.
///
///     distance 1   0 -> 1   1 -> 2   2 -> 3      -, 0, 1, 2
///     distance 2   0 -> 2   1 -> 3               -, 0, 01, 012
///
/// Needs   any p.
/// Cost    ceil(lg p) rounds, ceil(lg p) m sent, at most 2 ceil(lg p) - 1 reductions of m.
/// Source  [traff2025], two-op doubling.
Schedule build(const Problem& op) {
  Schedule schedule{.blocks = 1, .scratch = {{0, 1}, {0, 1}}, .rounds = {}};
  const int me = op.me.value;
  bool begun = false;  // the partial result
  for (int distance = 1; distance < op.procs; distance *= 2) {
    Round round;
    if (me + distance < op.procs) {
      if (begun) schedule.local(Reduce{output(0), input(0), scratch(1)});
      round.comm.emplace_back(Send{op.ahead(distance), begun ? scratch(1) : input(0)});
    }
    if (me >= distance) {
      round.comm.emplace_back(Recv{op.behind(distance), begun ? scratch(0) : output(0)});
      if (begun) round.local.emplace_back(Reduce{scratch(0), output(0), output(0)});
      begun = true;
    }
    schedule.rounds.push_back(std::move(round));
  }
  return schedule;
}

Formula formula(const Problem& op) {
  const double rounds = ceil_log2(op.procs);
  return {.messages = rounds,
          .sent = rounds,
          .reduced = std::max(2 * rounds - 1, 0.0),
          .reduced_at_most = true};
}

}  // namespace

const Algorithm two_op_doubling{
    .name = "two_op_doubling",
    .requirement = kAnyProcs,
    .order_preserving = true,
    .reorderable = false,
    .build = build,
    .formula = formula,
    .formula_text = "ceil(lg p) (alpha + m beta) + (2 ceil(lg p) - 1) m gamma",
    .source = "[traff2025]"};

}  // namespace breakeven::kernels::exscan
