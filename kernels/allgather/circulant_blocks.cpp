// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/circulant_blocks.hpp"

#include "kernels/allgather/algorithms.hpp"
#include "kernels/fold.hpp"

namespace breakeven::kernels::allgather {

namespace {

/// Circulant graph, n blocks: the broadcasts of all ranks at once, each of its block cut into n. As
/// the distance of a round is the same from every root, a rank sends one message a round, with a
/// block of each broadcast that has one for the receiver.
///
///     p = 5, n = 2, rank 0    from    what arrives: r.i is block i of rank r
///     round 0                 2       2.0
///     round 1                 4       1.0 4.1
///     round 2                 3       3.1 4.0
///     round 3                 2       1.1 2.1 3.0
///
/// Needs   any p.
/// Cost    n-1 + ceil(lg p) rounds, (p-1)/p m sent.
/// Source  [traff2024].
Schedule build(const Problem& op) {
  const int n = circulant_parts::parts_of(op);
  Schedule schedule{.blocks = op.procs * n, .scratch = {}, .rounds = {}};
  schedule.local(Copy{input(0), output(op.me.value * n), n});
  for (const auto& [to, sent, source, received] : circulant_parts::rounds_of(op)) {
    Round& round = schedule.rounds.emplace_back();
    round.send(to, Buffer::output, runs_in_order(sent));
    round.recv(source, Buffer::output, runs_in_order(received));
  }
  return schedule;
}

Formula formula(const Problem& op) {
  const double p = op.procs;
  const int n = circulant_parts::parts_of(op);
  return {.messages = n - 1 + ceil_log2(op.procs), .sent = (p - 1) / p};
}

}  // namespace

const Algorithm circulant_blocks{.name = "circulant_blocks",
                                 .requirement = kAnyProcs,
                                 .params = circulant_parts::kParams,
                                 .params_requirement = {.met = circulant_parts::can_read},
                                 .variants = circulant_parts::variants,
                                 .build = build,
                                 .formula = formula,
                                 .formula_text = "(n-1 + ceil(lg p)) alpha + (p-1)/p m beta",
                                 .source = "[traff2024]"};

}  // namespace breakeven::kernels::allgather
