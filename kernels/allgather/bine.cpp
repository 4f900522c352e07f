// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/bine.hpp"

#include "kernels/allgather/algorithms.hpp"

namespace breakeven::kernels::allgather {

namespace {

/// Bine butterfly: in each step partners swap all blocks that they have, the farthest partners
/// first, so that most data travels to near ranks.
///
///     p = 8    step 2    0 <-> 3   1 <-> 6   2 <-> 5   4 <-> 7     1 block each way
///              step 1    0 <-> 7   1 <-> 2   3 <-> 4   5 <-> 6     2 blocks
///              step 0    0 <-> 1   2 <-> 3   4 <-> 5   6 <-> 7     4 blocks
///
/// Blocks that are no neighbours go in one message. For other p the odd ranks of the first pairs
/// hand in their block before and get the others after.
///
/// Needs   any p.
/// Cost    lg p rounds, (p-1)/p m sent; for other p two rounds and (p-1)/p m more.
/// Source  [desensi2025].
Schedule build(const Problem& op) {
  const Fold fold{op.procs};
  const Rank partner = Fold::partner(op.me);
  Schedule schedule{.blocks = op.procs, .scratch = {}, .rounds = {}};
  const auto all_but = [&](Rank rank) {
    std::vector<BlockRange> blocks{{0, rank.value}, {rank.value + 1, op.procs - rank.value - 1}};
    std::erase_if(blocks, [](const BlockRange& range) { return range.count == 0; });
    return blocks;
  };
  schedule.local(Copy{input(0), output(op.me.value)});
  if (fold.leaves(op.me)) {
    schedule.round({Send{partner, output(op.me.value)}});
    schedule.rounds.emplace_back().recv(partner, Buffer::output, all_but(op.me));
    return schedule;
  }
  if (fold.paired(op.me)) schedule.round({Recv{partner, output(partner.value)}});
  const int me = fold.number(op.me);
  for (int step = ceil_log2(fold.stay()) - 1; step >= 0; --step) {
    const int other = bine_partner(me, step, fold.stay());
    Round& round = schedule.rounds.emplace_back();
    round.send(fold.rank(other), Buffer::output, bine_blocks(fold, me, step + 1));
    round.recv(fold.rank(other), Buffer::output, bine_blocks(fold, other, step + 1));
  }
  if (fold.paired(op.me)) {
    schedule.rounds.emplace_back().send(partner, Buffer::output, all_but(partner));
  }
  return schedule;
}

Formula formula(const Problem& op) {
  const double p = op.procs;
  const double rounds = ceil_log2(op.procs);
  if (Fold{op.procs}.stay() == op.procs) return {.messages = rounds, .sent = (p - 1) / p};
  return {.messages = rounds + 1};
}

}  // namespace

const Algorithm bine{.name = "bine",
                     .requirement = kAnyProcs,
                     .build = build,
                     .formula = formula,
                     .formula_text = "p = 2^k: lg p alpha + (p-1)/p m beta",
                     .source = "[desensi2025]"};

}  // namespace breakeven::kernels::allgather
