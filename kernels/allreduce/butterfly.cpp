// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/allreduce/butterfly.hpp"

#include "kernels/fold.hpp"

namespace breakeven::kernels::allreduce {

Schedule butterfly(const Problem& op, int (*twin)(int number, int step, int procs)) {
  Schedule schedule{.blocks = 1, .scratch = {{0, 1}}, .rounds = {}};
  const Fold fold{op.procs};
  if (op.procs == 1) schedule.local(Copy{input(0), output(0)});
  if (fold.leaves(op.me)) {
    schedule.round({Send{Fold::partner(op.me), input(0)}});
    schedule.round({Recv{Fold::partner(op.me), output(0)}});
    return schedule;
  }

  Location partial = input(0);
  if (fold.paired(op.me)) {
    schedule.round({Recv{Fold::partner(op.me), scratch(0)}},
                   {Reduce{partial, scratch(0), output(0)}});
    partial = output(0);
  }
  const int me = fold.number(op.me);
  for (int step = 0; 1 << step < fold.stay(); ++step) {
    const int other = twin(me, step, fold.stay());
    const Reduce in_rank_order = me < other ? Reduce{partial, scratch(0), output(0)}
                                            : Reduce{scratch(0), partial, output(0)};
    schedule.round({Send{fold.rank(other), partial}, Recv{fold.rank(other), scratch(0)}},
                   {in_rank_order});
    partial = output(0);
  }
  if (fold.paired(op.me)) schedule.round({Send{Fold::partner(op.me), output(0)}});
  return schedule;
}

Formula butterfly_formula(const Problem& op) {
  const double steps = ceil_log2(op.procs);  // the one that makes p a power of two included
  const double result = Fold{op.procs}.stay() == op.procs ? 0 : 1;
  return {.messages = steps + result,
          .sent = steps + result,
          .reduced = steps,
          .one_way_messages = result,
          .one_way_sent = result};
}

}  // namespace breakeven::kernels::allreduce
