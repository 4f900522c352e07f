// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/circulant_blocks.hpp"

#include "kernels/bcast/algorithms.hpp"

namespace breakeven::kernels::bcast {

namespace {

/// Circulant graph, n blocks: in each round every rank sends over the same distance, one of the
/// graph's skips after the other; the root sends its blocks in order, the others those that they
/// have. Each rank gets each block once.
///
///     p = 5, n = 3     to    v  1   2   3   4      v = distance from the root
///     round 0          v+2          0              the block that a rank gets
///     round 1          v+3              1
///     round 2          v+1      2       0   1
///     round 3          v+2      1   2       0
///     round 4          v+3      0   1   2   2
///
/// Needs   any p.
/// Cost    n-1 + ceil(lg p) rounds of m/n, the fewest possible.
/// Source  [traff2024].
Schedule build(const Problem& op) {
  Schedule schedule{.blocks = circulant_blocks::blocks_of(op), .scratch = {}, .rounds = {}};
  for (const auto& [to, sent, source, received] : circulant_blocks::rounds_of(op)) {
    Round round;
    if (received) round.comm.emplace_back(Recv{source, output(*received)});
    if (sent) round.comm.emplace_back(Send{to, op.at_root() ? input(*sent) : output(*sent)});
    if (!round.comm.empty()) schedule.rounds.push_back(std::move(round));
  }
  if (op.at_root()) schedule.local(Copy{input(0), output(0), schedule.blocks});
  return schedule;
}

}  // namespace

const Algorithm circulant_blocks{.name = "circulant_blocks",
                                 .requirement = kAnyProcs,
                                 .params = circulant_blocks::kParams,
                                 .params_requirement = {.met = circulant_blocks::can_read},
                                 .variants = circulant_blocks::variants,
                                 .build = build,
                                 .formula = circulant_blocks::formula,
                                 .formula_text = "(n-1 + ceil(lg p)) (alpha + m beta / n)",
                                 .source = "[traff2024]"};

}  // namespace breakeven::kernels::bcast
