// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/allreduce/algorithms.hpp"
#include "kernels/bcast/algorithms.hpp"
#include "kernels/fold.hpp"
#include "kernels/reduce/algorithms.hpp"
#include "kernels/rewrite/sequence.hpp"

namespace breakeven::allreduce {

namespace {

/// Reduce and broadcast: a binomial tree towards rank 0, then the same tree back.
///
/// Needs   any p.
/// Cost    2 ceil(lg p) rounds, and as much in m sent (by rank 0, back) and reduced (towards it).
/// Source  Rabenseifner, ICCS 2004, section 2.3.
Schedule build(const Problem& op) {
  const Problem towards = op.as(Collective::reduce);
  const Problem back = op.as(Collective::bcast);
  return sequence(op, {towards, reduce::binomial.build(towards)},
                  {back, bcast::binomial.build(back)});
}

Cost cost(const Problem& op) {
  const int steps = ceil_log2(op.procs);
  return {.rounds = 2 * steps, .sent = 1.0 * steps, .reduced = 1.0 * steps};
}

}  // namespace

const Algorithm reduce_bcast{.name = "reduce_bcast",
                             .needs = kAnyProcs,
                             .ordered = true,
                             .identical = true,
                             .build = build,
                             .cost = cost,
                             .source = "Rabenseifner 2004, section 2.3"};

}  // namespace breakeven::allreduce
