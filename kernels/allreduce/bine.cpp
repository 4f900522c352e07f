// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/bine.hpp"

#include "kernels/allreduce/algorithms.hpp"
#include "kernels/allreduce/butterfly.hpp"

namespace breakeven::kernels::allreduce {

namespace {

/// Bine butterfly: as recursive doubling, but over distances 1, 1, 3, 5, 11, ... in alternating
/// directions, so that messages travel a third less far between ranks.
///
///     p = 8    step 0    0 <-> 1   2 <-> 3   4 <-> 5   6 <-> 7
///              step 1    0 <-> 7   1 <-> 2   3 <-> 4   5 <-> 6
///              step 2    0 <-> 3   1 <-> 6   2 <-> 5   4 <-> 7
///
/// The ranks reduce in different pairs: their results may differ in the last bits.
///
/// Needs   any p.
/// Cost    as recursive doubling.
/// Source  [desensi2025].
Schedule build(const Problem& op) { return butterfly(op, bine_partner); }

}  // namespace

const Algorithm bine{.name = "bine",
                     .requirement = kAnyProcs,
                     .build = build,
                     .formula = butterfly_formula,
                     .formula_text = kButterflyFormula,
                     .source = "[desensi2025]"};

}  // namespace breakeven::kernels::allreduce
