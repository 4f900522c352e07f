// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/allreduce/algorithms.hpp"
#include "kernels/bcast/algorithms.hpp"
#include "kernels/fold.hpp"
#include "kernels/reduce/algorithms.hpp"
#include "kernels/rewrite/rewrite.hpp"

namespace breakeven::kernels::allreduce {

namespace {

/// Reduce and broadcast: a binomial tree towards rank 0, then the same tree back.
///
/// Needs   any p.
/// Cost    2 ceil(lg p) messages, as much in m sent, ceil(lg p) m reduced.
/// Source  [rabenseifner2004], section 2.3.
Schedule build(const Problem& op) {
  const Problem towards = op.as(Collective::reduce);
  const Problem back = op.as(Collective::bcast);
  return sequence(op, {towards, reduce::binomial.build(towards)},
                  {back, bcast::binomial.build(back)});
}

Formula formula(const Problem& op) {
  const double steps = ceil_log2(op.procs);
  return {.messages = 2 * steps,
          .sent = 2 * steps,
          .reduced = steps,
          .one_way_messages = 2 * steps,
          .one_way_sent = 2 * steps};
}

}  // namespace

const Algorithm reduce_bcast{.name = "reduce_bcast",
                             .requirement = kAnyProcs,
                             .order_preserving = true,
                             .bitwise_identical = true,
                             .fixed_tree = true,
                             .build = build,
                             .formula = formula,
                             .formula_text = "ceil(lg p) (2 fa alpha + 2 fb m beta + m gamma)",
                             .source = "[rabenseifner2004] 2.3"};

}  // namespace breakeven::kernels::allreduce
