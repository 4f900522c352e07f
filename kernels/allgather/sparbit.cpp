// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/allgather/algorithms.hpp"
#include "kernels/fold.hpp"

namespace breakeven::kernels::allgather {

namespace {

/// Sparbit: binomial trees of all blocks at once with the longest distance first, so that most data
/// travels to near ranks. Each block is a message of its own, and arrives in its place.
///
///     p = 4    distance 2   0 <-> 2       1 <-> 3         the own block
///              distance 1   0 -> 1 -> 2 -> 3 -> 0         the own and the received block
///
/// Where p is no power of two, some distances leave out one block, which would come full circle.
///
/// Needs   any p.
/// Cost    ceil(lg p) rounds of up to p/2 messages at once, (p-1)/p m sent.
/// Source  [loch2021]; Open MPI has it since 5.0.
Schedule build(const Problem& op) {
  Schedule schedule{.blocks = op.procs, .scratch = {}, .rounds = {}};
  schedule.local(Copy{input(0), output(op.me.value)});
  for (int step = 1 << ceil_log2(op.procs) >> 1; step > 0; step /= 2) {
    Round& round = schedule.rounds.emplace_back();
    for (int distance = 0; distance + step < op.procs; distance += 2 * step) {
      const Rank sent = op.behind(distance);
      const Rank received = op.behind(distance + step);
      round.comm.emplace_back(Send{op.ahead(step), output(sent.value)});
      round.comm.emplace_back(Recv{op.behind(step), output(received.value)});
    }
  }
  return schedule;
}

Formula formula(const Problem& op) {
  const double p = op.procs;
  return {.rounds = ceil_log2(op.procs), .messages = p - 1, .sent = (p - 1) / p};
}

}  // namespace

const Algorithm sparbit{.name = "sparbit",
                        .requirement = kAnyProcs,
                        .build = build,
                        .formula = formula,
                        .formula_text = "(p-1) alpha + (p-1)/p m beta",
                        .source = "[loch2021]"};

}  // namespace breakeven::kernels::allgather
