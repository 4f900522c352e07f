// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/bcast/algorithms.hpp"

namespace breakeven::kernels::bcast {

namespace {

/// Linear: the root sends the vector to all at once.
///
/// Needs   any p.
/// Cost    1 round, p-1 messages of m from the root.
/// Source  [pjesivac2007], flat tree.
Schedule build(const Problem& op) {
  Schedule schedule{.blocks = 1, .scratch = {}, .rounds = {}};
  Round& round = schedule.rounds.emplace_back();
  if (!op.at_root()) {
    round.comm.emplace_back(Recv{op.root, output(0)});
    return schedule;
  }
  for (int i = 1; i < op.procs; ++i) round.comm.emplace_back(Send{op.ahead(i), input(0)});
  schedule.local(Copy{input(0), output(0)});
  return schedule;
}

Formula formula(const Problem& op) {
  const double others = op.procs - 1;
  return {.rounds = op.procs == 1 ? 0 : 1,
          .messages = others,
          .sent = others,
          .one_way_messages = others,
          .one_way_sent = others};
}

}  // namespace

const Algorithm linear{.name = "linear",
                       .requirement = kAnyProcs,
                       .build = build,
                       .formula = formula,
                       .formula_text = "(p-1) (fa alpha + fb m beta)",
                       .source = "[pjesivac2007]"};

}  // namespace breakeven::kernels::bcast
