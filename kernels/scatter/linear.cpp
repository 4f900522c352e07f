// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/gather/algorithms.hpp"
#include "kernels/rewrite/reverse.hpp"
#include "kernels/scatter/algorithms.hpp"

namespace breakeven::scatter {

namespace {

/// Linear: the root sends every rank its block, all at once.
///
/// Needs   any p.
/// Cost    1 round, (p-1)/p m sent (by the root).
/// Source  The reverse of the last step of the reduce in Rabenseifner, ICCS 2004, section 2.7.
Schedule build(const Problem& op) {
  return reversed(gather::linear.build(op.as(Collective::gather)));
}

Cost cost(const Problem& op) {
  const double p = op.procs;
  return {.rounds = op.procs > 1 ? 1 : 0, .sent = (p - 1) / p};
}

}  // namespace

const Algorithm linear{.name = "linear",
                       .needs = kAnyProcs,
                       .build = build,
                       .cost = cost,
                       .source = "Rabenseifner 2004, section 2.7, reversed"};

}  // namespace breakeven::scatter
