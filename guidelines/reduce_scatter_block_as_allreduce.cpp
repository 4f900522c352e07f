// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/catalogue.hpp"

namespace breakeven::guidelines {

const Guideline reduce_scatter_block_as_allreduce{
    .number = 2,
    .name = "reduce_scatter_block_as_allreduce",
    .left = Collective::reduce_scatter_block,
    .right = kTerms<Collective::allreduce>,
    .text = "an allreduce leaves every process its block and more",
    .source = kCirculantPaper};

}  // namespace breakeven::guidelines
