// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/catalogue.hpp"

namespace breakeven::guidelines {

const Guideline reduce_scatter_block_as_reduce_then_scatter{
    .number = 3,
    .name = "reduce_scatter_block_as_reduce_then_scatter",
    .left = Collective::reduce_scatter_block,
    .right = kTerms<Collective::reduce, Collective::scatter>,
    .text = "a reduce, then a scatter of its result, leave every process its block",
    .source = kCirculantPaper};

}  // namespace breakeven::guidelines
