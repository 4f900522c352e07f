// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/catalogue.hpp"

namespace breakeven::guidelines {

const Guideline reduce_as_allreduce{
    .number = 5,
    .name = "reduce_as_allreduce",
    .left = Collective::reduce,
    .right = kTerms<Collective::allreduce>,
    .text = "an allreduce leaves the root the result, and everyone else too",
    .source = kCirculantPaper};

}  // namespace breakeven::guidelines
