// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/reduce/algorithms.hpp"

namespace breakeven::kernels::reduce {

namespace {

/// Linear: all send to the root at once, which reduces their vectors in the order of their ranks.
///
/// Needs   any p.
/// Cost    1 round, p-1 messages of m to the root, all reduced there.
/// Source  [pjesivac2007], flat tree.
Schedule build(const Problem& op) {
  Schedule schedule{.blocks = 1, .scratch = {}, .rounds = {}};
  Round& round = schedule.rounds.emplace_back();
  if (!op.at_root()) {
    round.comm.emplace_back(Send{op.root, input(0)});
    return schedule;
  }
  schedule.scratch.assign(static_cast<std::size_t>(op.procs) - 1, {0, 1});
  const auto operand = [me = op.me.value](int rank) {
    return rank == me ? input(0) : scratch(rank < me ? rank : rank - 1);
  };
  for (int rank = 0; rank < op.procs; ++rank) {
    if (rank != op.me.value) round.comm.emplace_back(Recv{Rank{rank}, operand(rank)});
  }
  if (op.procs == 1) schedule.local(Copy{input(0), output(0)});
  for (int rank = 1; rank < op.procs; ++rank) {
    schedule.local(Reduce{rank == 1 ? operand(0) : output(0), operand(rank), output(0)});
  }
  return schedule;
}

Formula formula(const Problem& op) {
  const double others = op.procs - 1;
  return {.rounds = op.procs == 1 ? 0 : 1,
          .messages = others,
          .sent = others,
          .reduced = others,
          .one_way_messages = others,
          .one_way_sent = others};
}

}  // namespace

const Algorithm linear{.name = "linear",
                       .requirement = kAnyProcs,
                       .order_preserving = true,
                       .build = build,
                       .formula = formula,
                       .formula_text = "(p-1) (fa alpha + fb m beta + m gamma)",
                       .source = "[pjesivac2007]"};

}  // namespace breakeven::kernels::reduce
