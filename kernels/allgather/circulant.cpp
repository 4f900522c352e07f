// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/circulant.hpp"

#include "kernels/allgather/algorithms.hpp"
#include "kernels/ring_range.hpp"

namespace breakeven::kernels::allgather {

namespace {

/// Circulant graph: round k receives from me + jump(k) the blocks of the ranks from me + skips[k]
/// on, up to me + skips[k+1], where they belong; those of ranks up to p-1 and from 0 on are two
/// runs of a message.
///
///     p = 9, rank 6    6 | 7 | 8 | 0 1 | 2 3 4 5      round 0 | 1 | 2 | 3
///
/// Needs   any p.
/// Cost    ceil(lg p) rounds, (p-1)/p m sent.
/// Source  [traff2023], section III-E, Listing 7, Proposition 3.
Schedule build(const Problem& op) {
  const Circulant graph{op.procs};
  Schedule schedule{.blocks = op.procs, .scratch = {}, .rounds = {}};
  schedule.local(Copy{input(0), output(op.me.value)});
  for (int k = 0; k < graph.rounds(); ++k) {
    const int count = graph.skip(k + 1) - graph.skip(k);
    const RingRange sent{op.ahead(graph.without_own(k) ? 1 : 0), count, op.procs};
    const RingRange received{op.ahead(graph.skip(k)), count, op.procs};
    Round& round = schedule.rounds.emplace_back();
    round.send(op.behind(graph.jump(k)), Buffer::output, sent.runs());
    round.recv(op.ahead(graph.jump(k)), Buffer::output, received.runs());
  }
  return schedule;
}

Formula formula(const Problem& op) {
  const double p = op.procs;
  return {.messages = ceil_log2(op.procs), .sent = (p - 1) / p};
}

}  // namespace

const Algorithm circulant{.name = "circulant",
                          .requirement = kAnyProcs,
                          .build = build,
                          .formula = formula,
                          .formula_text = "ceil(lg p) alpha + (p-1)/p m beta",
                          .source = "[traff2023] III-E, Proposition 3"};

}  // namespace breakeven::kernels::allgather
