// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exscan/algorithms.hpp"
#include "kernels/fold.hpp"
#include "kernels/scan/swaps.hpp"

namespace breakeven::kernels::exscan {

namespace {

/// Recursive doubling: in round k each rank swaps the combination of its group with the rank 2^k
/// away. Both get that of the joined group, and the upper one adds what it gets to its result.
///
///     distance 1   0 <-> 1   2 <-> 3      groups 01, 23      results -, 0, -, 2
///     distance 2   0 <-> 2   1 <-> 3      group  0123        results -, 0, 01, 012
///
/// Needs   any p.
/// Cost    ceil(lg p) rounds, ceil(lg p) m sent; at most two reductions of m in a round.
/// Source  [grama2003], algorithm 4.3.
Schedule build(const Problem& op) {
  Schedule schedule{.blocks = 1, .scratch = {{0, 1}, {0, 1}}, .rounds = {}};
  const Location arrived = scratch(0);
  Location group = input(0);
  bool begun = false;  // the result
  for (const scan::Swap& swap : scan::swaps_of(op)) {
    schedule.round({Send{swap.twin, group}, Recv{swap.twin, arrived}});
    if (!swap.last) {
      schedule.local(swap.upper ? Reduce{arrived, group, scratch(1)}
                                : Reduce{group, arrived, scratch(1)});
      group = scratch(1);
    }
    if (!swap.upper) continue;
    if (begun) {
      schedule.local(Reduce{arrived, output(0), output(0)});
    } else {
      schedule.local(Copy{arrived, output(0)});
    }
    begun = true;
  }
  return schedule;
}

Formula formula(const Problem& op) {
  const double rounds = ceil_log2(op.procs);
  return {.messages = rounds, .sent = rounds, .reduced = 2 * rounds, .reduced_at_most = true};
}

}  // namespace

const Algorithm recursive_doubling{.name = "recursive_doubling",
                                   .requirement = kAnyProcs,
                                   .order_preserving = true,
                                   .fixed_tree = true,
                                   .reorderable = false,
                                   .build = build,
                                   .formula = formula,
                                   .formula_text = "ceil(lg p) (alpha + m beta + 2 m gamma)",
                                   .source = "[grama2003] 4.3"};

}  // namespace breakeven::kernels::exscan
