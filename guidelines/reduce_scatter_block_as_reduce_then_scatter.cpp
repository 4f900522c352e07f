// SPDX-License-Identifier: BSD-3-Clause
#include <array>

#include "guidelines/catalogue.hpp"

namespace breakeven::guidelines {

namespace {
constexpr std::array kRight{Collective::reduce, Collective::scatter};
}  // namespace

const Guideline reduce_scatter_block_as_reduce_then_scatter{
    .number = 3,
    .name = "reduce_scatter_block_as_reduce_then_scatter",
    .left = Collective::reduce_scatter_block,
    .right = kRight,
    .text = "a reduce, then a scatter of its result, leave every process its block",
    .source = kCirculantPaper};

}  // namespace breakeven::guidelines
