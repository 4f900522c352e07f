// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/pat.hpp"

#include "kernels/allgather/algorithms.hpp"
#include "kernels/fold.hpp"

namespace breakeven::kernels::allgather {

namespace {

/// In a round each rank sends `step` ahead the blocks of the ranks at these distances behind it.
struct TreeRound {
  int step;
  std::vector<int> distances;
};

/// Appends the rounds in which the blocks at these distances reach all distances up to 2 `step`
/// from there. Trees grow at once while their blocks fit in a message, then in two parts.
void grow(std::vector<TreeRound>& rounds, std::vector<int> distances, int step, const Problem& op) {
  if (step == 0) return;
  TreeRound round{.step = step, .distances = {}};
  std::vector<int> reached;
  for (const int distance : distances) {
    if (distance + step >= op.procs) continue;
    round.distances.push_back(distance);
    reached.push_back(distance + step);
  }
  if (!reached.empty()) rounds.push_back(std::move(round));
  if (std::ssize(distances) + std::ssize(reached) > parallel_trees::limit_of(op)) {
    grow(rounds, std::move(reached), step / 2, op);
  } else {
    distances.insert(distances.end(), reached.begin(), reached.end());
  }
  grow(rounds, std::move(distances), step / 2, op);
}

/// Parallel aggregated trees (PAT): binomial trees of all blocks at once with the longest distance
/// first. Only so many blocks go in one message, and a part of the trees is complete before the
/// next one begins, so that few blocks are on their way at a time.
///
///     p = 8, limit 2     distance    blocks of the ranks at these distances behind
///     round 0            4           0
///     round 1            2           0 4
///     rounds 2, 3        1           2 6 | 0 4
///
/// Needs   any p.
/// Cost    ceil(lg p) rounds without a limit, p-1 of one block with limit 1; (p-1)/p m sent.
/// Source  [jeaugey2025].
Schedule build(const Problem& op) {
  std::vector<TreeRound> rounds;
  grow(rounds, {0}, 1 << ceil_log2(op.procs) >> 1, op);
  Schedule schedule{.blocks = op.procs, .scratch = {}, .rounds = {}};
  schedule.local(Copy{input(0), output(op.me.value)});
  for (const auto& [step, distances] : rounds) {
    const auto blocks_from = [&](int nearest) {
      std::vector<int> blocks;
      for (const int distance : distances) blocks.push_back(op.behind(nearest + distance).value);
      return runs_of(std::move(blocks));
    };
    Round& round = schedule.rounds.emplace_back();
    round.send(op.ahead(step), Buffer::output, blocks_from(0));
    round.recv(op.behind(step), Buffer::output, blocks_from(step));
  }
  return schedule;
}

Formula formula(const Problem& op) {
  const double p = op.procs;
  const int limit = parallel_trees::limit_of(op);
  Formula formula{.sent = (p - 1) / p};
  if (2 * limit >= op.procs) {
    formula.messages = ceil_log2(op.procs);
  } else if (limit == 1 || (kPowerOfTwo.met(op.procs) && kPowerOfTwo.met(limit))) {
    formula.messages = ceil_log2(limit) + p / limit - 1;
  }
  return formula;
}

}  // namespace

const Algorithm pat{.name = "pat",
                    .requirement = kAnyProcs,
                    .params = parallel_trees::kParams,
                    .params_requirement = {.met = parallel_trees::can_read},
                    .variants = parallel_trees::variants,
                    .build = build,
                    .formula = formula,
                    .formula_text =
                        "ceil(lg p) alpha + (p-1)/p m beta; p and limit l powers of two: "
                        "(lg l + p/l - 1) alpha + (p-1)/p m beta",
                    .source = "[jeaugey2025]"};

}  // namespace breakeven::kernels::allgather
