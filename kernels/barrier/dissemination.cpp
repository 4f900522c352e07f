// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/barrier/algorithms.hpp"
#include "kernels/fold.hpp"

namespace breakeven::barrier {

namespace {

/// Dissemination: in round k each rank tells the one 2^k ahead what it has heard so far, so that
/// after round k it knows of the 2^(k+1) - 1 ranks behind it.
///
/// Needs   any p.
/// Cost    ceil(lg p) rounds of messages without data.
/// Source  Hensgen, Finkel, Manber, Int. J. Parallel Programming 17(1), 1988; as cited in the
///         recursive multiplying paper, section 7.
Schedule build(const Problem& op) {
  Schedule schedule;
  for (int distance = 1; distance < op.procs; distance *= 2) {
    schedule.round(
        {Send{op.ahead(distance), input(0), 0}, Recv{op.behind(distance), output(0), 0}});
  }
  return schedule;
}

Cost cost(const Problem& op) { return {.rounds = ceil_log2(op.procs)}; }

}  // namespace

const Algorithm dissemination{.name = "dissemination",
                              .needs = kAnyProcs,
                              .build = build,
                              .cost = cost,
                              .source = "Hensgen et al. 1988"};

}  // namespace breakeven::barrier
