// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "kernels/algorithm.hpp"

namespace breakeven::kernels::reduce_scatter_block {

extern const Algorithm bine;
extern const Algorithm circulant;
extern const Algorithm circulant_blocks;
extern const Algorithm multi_lane;
extern const Algorithm pairwise;
extern const Algorithm pat;
extern const Algorithm recursive_halving;
extern const Algorithm reduce_then_scatter;
extern const Algorithm ring;

inline constexpr std::array kCatalogue{
    &ring, &pairwise, &recursive_halving, &reduce_then_scatter, &circulant,
    &bine, &pat,      &multi_lane,        &circulant_blocks};

}  // namespace breakeven::kernels::reduce_scatter_block
