// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/barrier/algorithms.hpp"

namespace breakeven::kernels::barrier {

namespace {

/// Linear: all ranks report their arrival to rank 0, which then releases them.
///
/// Needs   any p.
/// Cost    2 rounds of p-1 messages without data at rank 0.
/// Source  [pjesivac2007], flat tree.
Schedule build(const Problem& op) {
  Schedule schedule;
  if (op.me.value != 0) {
    schedule.round({Send{Rank{0}, input(0), 0}});
    schedule.round({Recv{Rank{0}, output(0), 0}});
    return schedule;
  }
  Round arrival;
  Round release;
  for (int rank = 1; rank < op.procs; ++rank) {
    arrival.comm.emplace_back(Recv{Rank{rank}, output(0), 0});
    release.comm.emplace_back(Send{Rank{rank}, input(0), 0});
  }
  if (op.procs > 1) schedule.rounds = {std::move(arrival), std::move(release)};
  return schedule;
}

Formula formula(const Problem& op) { return {.rounds = op.procs > 1 ? 2 : 0}; }

}  // namespace

const Algorithm linear{.name = "linear",
                       .requirement = kAnyProcs,
                       .build = build,
                       .formula = formula,
                       .formula_text = "2 rounds of p-1 messages",
                       .source = "[pjesivac2007]"};

}  // namespace breakeven::kernels::barrier
