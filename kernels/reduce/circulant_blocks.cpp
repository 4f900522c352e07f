// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/circulant_blocks.hpp"

#include <ranges>

#include "kernels/reduce/algorithms.hpp"

namespace breakeven::kernels::reduce {

namespace {

/// Circulant graph, n blocks: the broadcast backwards. For each block that a rank sends there, it
/// reduces an arrival here; for each block that it gets there, it sends its partial result here.
///
/// Needs   any p.
/// Cost    n-1 + ceil(lg p) rounds of m/n, at most as much reduced.
/// Source  [traff2024].
Schedule build(const Problem& op) {
  const int blocks = circulant_blocks::blocks_of(op);
  Schedule schedule{.blocks = blocks, .scratch = {{0, blocks}, {}}, .rounds = {}};
  const Location arrived = scratch(blocks);
  std::vector<Location> partial;
  for (int block = 0; block < blocks; ++block) partial.push_back(input(block));
  for (const auto& [to, sent, source, received] :
       std::views::reverse(circulant_blocks::rounds_of(op))) {
    Round round;
    if (received) {
      round.comm.emplace_back(Send{source, partial[static_cast<std::size_t>(*received)]});
    }
    if (sent) {
      Location& sum = partial[static_cast<std::size_t>(*sent)];
      const Location reduced = op.at_root() ? output(*sent) : scratch(*sent);
      round.comm.emplace_back(Recv{to, arrived});
      round.local.emplace_back(Reduce{sum, arrived, reduced});
      sum = reduced;
    }
    if (!round.comm.empty()) schedule.rounds.push_back(std::move(round));
  }
  if (op.procs == 1) schedule.local(Copy{input(0), output(0), blocks});
  return schedule;
}

Formula formula(const Problem& op) {
  Formula formula = circulant_blocks::formula(op);
  formula.reduced = formula.sent;
  formula.reduced_at_most = true;
  return formula;
}

}  // namespace

const Algorithm circulant_blocks{.name = "circulant_blocks",
                                 .requirement = kAnyProcs,
                                 .params = circulant_blocks::kParams,
                                 .params_requirement = {.met = circulant_blocks::can_read},
                                 .variants = circulant_blocks::variants,
                                 .build = build,
                                 .formula = formula,
                                 .formula_text = "(n-1 + ceil(lg p)) (alpha + m/n (beta + gamma))",
                                 .source = "[traff2024]"};

}  // namespace breakeven::kernels::reduce
