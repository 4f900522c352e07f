// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/catalogue.hpp"

namespace breakeven::guidelines {

const Guideline allreduce_as_reduce_scatter_block_then_allgather{
    .number = 4,
    .name = "allreduce_as_reduce_scatter_block_then_allgather",
    .left = Collective::allreduce,
    .right = kTerms<Collective::reduce_scatter_block, Collective::allgather>,
    .text = "an allgather of the blocks of a reduce_scatter_block leaves everyone the whole result",
    .source = kCirculantPaper};

}  // namespace breakeven::guidelines
