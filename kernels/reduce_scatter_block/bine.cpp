// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/bine.hpp"

#include "kernels/reduce_scatter_block/algorithms.hpp"
#include "kernels/reduce_scatter_block/butterfly.hpp"

namespace breakeven::kernels::reduce_scatter_block {

namespace {

/// Bine butterfly: as recursive halving, but between the partners of the Bine butterfly, the
/// nearest first, so that most data travels to near ranks.
///
///     p = 8    step 0    0 <-> 1   2 <-> 3   4 <-> 5   6 <-> 7     4 blocks each way
///              step 1    0 <-> 7   1 <-> 2   3 <-> 4   5 <-> 6     2 blocks
///              step 2    0 <-> 3   1 <-> 6   2 <-> 5   4 <-> 7     1 block
///
/// Blocks that are no neighbours go in one message.
///
/// Needs   any p; a commutative operation.
/// Cost    as recursive halving.
/// Source  [desensi2025].
Schedule build(const Problem& op) {
  return butterfly(op, bine_partner, [](const Fold& fold, int number, int step) {
    return bine_blocks(fold, number, step + 1);
  });
}

}  // namespace

const Algorithm bine{.name = "bine",
                     .requirement = kAnyProcs,
                     .build = build,
                     .formula = butterfly_formula,
                     .formula_text = kButterflyFormula,
                     .source = "[desensi2025]"};

}  // namespace breakeven::kernels::reduce_scatter_block
