// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/reduce_scatter_block/butterfly.hpp"

#include <cmath>

namespace breakeven::kernels::reduce_scatter_block {

namespace {

/// The vector in the hands of one rank: partial results lie in the input until the first trade,
/// then in slots of their own; what arrives to be reduced lies in the slots before.
class Partial {
 public:
  Partial(Schedule& schedule, int procs) : schedule_{&schedule}, procs_{procs} {
    schedule.scratch = {{0, procs}, {0, procs}};
  }

  [[nodiscard]] Location at(int block) const {
    return traded_ ? scratch(procs_ + block) : input(block);
  }
  /// Swaps blocks with a twin, and reduces those kept: where partial results lie, or a last one
  /// into the output.
  void trade(Rank twin, std::vector<BlockRange> give, const std::vector<BlockRange>& keep,
             bool last = false) {
    Round& round = schedule_->rounds.emplace_back();
    if (traded_) {
      for (BlockRange& range : give) range.first += procs_;
    }
    round.send(twin, traded_ ? Buffer::scratch : Buffer::input, give);
    round.recv(twin, Buffer::scratch, keep);
    for (const auto& [first, count] : keep) {
      const Location into = last ? output(0) : scratch(procs_ + first);
      round.local.emplace_back(Reduce{at(first), scratch(first), into, count});
    }
    traded_ = true;
  }

 private:
  Schedule* schedule_;
  int procs_;
  bool traded_ = false;
};

}  // namespace

Schedule butterfly(const Problem& op, int (*twin)(int number, int step, int procs),
                   std::vector<BlockRange> (*kept)(const Fold& fold, int number, int step)) {
  const Fold fold{op.procs};
  Schedule schedule{.blocks = op.procs, .scratch = {}, .rounds = {}};
  if (op.procs == 1) {
    schedule.local(Copy{input(0), output(0)});
    return schedule;
  }
  Partial partial{schedule, op.procs};
  const Rank partner = Fold::partner(op.me);
  if (fold.paired(op.me)) {
    const BlockRange lower{0, op.procs / 2};
    const BlockRange upper{lower.count, op.procs - lower.count};
    if (fold.leaves(op.me)) {
      partial.trade(partner, {lower}, {upper});
      schedule.round({Send{partner, partial.at(upper.first), upper.count}});
      schedule.round({Recv{partner, output(0)}});
      return schedule;
    }
    partial.trade(partner, {upper}, {lower});
    schedule.round({Recv{partner, partial.at(upper.first), upper.count}});
  }
  const int me = fold.number(op.me);
  for (int step = 0; 1 << step < fold.stay(); ++step) {
    const int other = twin(me, step, fold.stay());
    const std::vector<BlockRange> keep = kept(fold, me, step);
    partial.trade(fold.rank(other), kept(fold, other, step), keep,
                  keep.size() == 1 && keep.front().count == 1);
  }
  if (fold.paired(op.me)) {
    schedule.round({Send{partner, partial.at(partner.value)}},
                   {Copy{partial.at(op.me.value), output(0)}});
  }
  return schedule;
}

Formula butterfly_formula(const Problem& op) {
  const double p = op.procs;
  const double steps = ceil_log2(op.procs);
  if (Fold{op.procs}.stay() == op.procs) {
    return {.messages = steps, .sent = (p - 1) / p, .reduced = (p - 1) / p};
  }
  const double moved = 0.5 + (std::exp2(steps) - 1) * 2 / p;
  return {.messages = steps + 2,
          .sent = moved + 1 / p,
          .reduced = moved,
          .sent_at_most = true,
          .reduced_at_most = true};
}

}  // namespace breakeven::kernels::reduce_scatter_block
