// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/allreduce/algorithms.hpp"
#include "kernels/allreduce/butterfly.hpp"

namespace breakeven::kernels::allreduce {

namespace {

/// Recursive doubling: in round k each rank swaps its partial result with the rank 2^k away, and
/// both reduce the same two operands.
///
///     distance 1   0 <-> 1   2 <-> 3
///     distance 2   0 <-> 2   1 <-> 3
///
/// Needs   any p.
/// Cost    lg p rounds, lg p m sent and reduced; for other p two rounds, m sent and m reduced more.
/// Source  [rabenseifner2004], section 2.4.
Schedule build(const Problem& op) {
  return butterfly(op, [](int me, int step, int /*procs*/) { return me ^ (1 << step); });
}

}  // namespace

const Algorithm recursive_doubling{.name = "recursive_doubling",
                                   .requirement = kAnyProcs,
                                   .order_preserving = true,
                                   .bitwise_identical = true,
                                   .build = build,
                                   .formula = butterfly_formula,
                                   .formula_text = kButterflyFormula,
                                   .source = "[rabenseifner2004] 2.4"};

}  // namespace breakeven::kernels::allreduce
