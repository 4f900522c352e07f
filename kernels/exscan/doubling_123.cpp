// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exscan/algorithms.hpp"

namespace breakeven::kernels::exscan {

namespace {

/// 123-doubling: doubling over distances 1, 2, 3, 6, 12, ... Each rank sends its own vector first,
/// then its partial result with its own vector, and from the third round on its partial result
/// alone, which covers as many ranks as that round's distance.
///
///     distance 1   0 -> 1   1 -> 2   2 -> 3 ...      the rank before
///     distance 2   0 -> 2   1 -> 3   2 -> 4 ...      the 3 ranks before
///     distance 3   1 -> 4   2 -> 5   3 -> 6 ...      the 6 ranks before
///
/// Needs   any p.
/// Cost    ceil(lg(p-1) + lg(4/3)) rounds with as much sent, at most as many reductions of m.
/// Source  [traff2025], 123-doubling.
Schedule build(const Problem& op) {
  Schedule schedule{.blocks = 1, .scratch = {{0, 1}, {0, 1}}, .rounds = {}};
  const int me = op.me.value;
  const auto round = [&](int distance, Location sum, bool sends, bool receives) {
    Round added;
    if (sends && me + distance < op.procs) {
      added.comm.emplace_back(Send{op.ahead(distance), sum});
    }
    if (receives) {
      const bool first = distance == 1;
      added.comm.emplace_back(Recv{op.behind(distance), first ? output(0) : scratch(0)});
      if (!first) added.local.emplace_back(Reduce{scratch(0), output(0), output(0)});
    }
    schedule.rounds.push_back(std::move(added));
  };
  round(1, input(0), true, me >= 1);
  const bool adds = me >= 1 && me + 2 < op.procs;
  if (adds) schedule.local(Reduce{output(0), input(0), scratch(1)});
  round(2, adds ? scratch(1) : input(0), true, me >= 2);
  // Rank 0 has no partial result, and the ranks up to the distance have all that is before them.
  for (int distance = 3; distance < op.procs - 1; distance *= 2) {
    round(distance, output(0), me >= 1, me > distance);
  }
  return schedule;
}

Formula formula(const Problem& op) {
  double rounds = op.procs == 1 ? 0 : 1;
  for (int covered = 1; covered < op.procs - 1; covered = covered == 1 ? 3 : 2 * covered) ++rounds;
  return {.messages = rounds, .sent = rounds, .reduced = rounds, .reduced_at_most = true};
}

}  // namespace

const Algorithm doubling_123{.name = "doubling_123",
                             .requirement = kAnyProcs,
                             .order_preserving = true,
                             .reorderable = false,
                             .build = build,
                             .formula = formula,
                             .formula_text = "ceil(lg(p-1) + lg(4/3)) (alpha + m beta + m gamma)",
                             .source = "[traff2025]"};

}  // namespace breakeven::kernels::exscan
