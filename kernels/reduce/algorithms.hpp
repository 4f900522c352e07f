// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "kernels/algorithm.hpp"

namespace breakeven::kernels::reduce {

extern const Algorithm binary;
extern const Algorithm binary_blocks;
extern const Algorithm bine;
extern const Algorithm binomial;
extern const Algorithm chain;
extern const Algorithm circulant;
extern const Algorithm circulant_blocks;
extern const Algorithm fixed_tree;
extern const Algorithm halving_doubling;
extern const Algorithm in_order_binary;
extern const Algorithm knomial;
extern const Algorithm linear;
extern const Algorithm multi_lane;
extern const Algorithm pairwise_direct;

inline constexpr std::array kCatalogue{&binomial,
                                       &halving_doubling,
                                       &binary_blocks,
                                       &pairwise_direct,
                                       &circulant,
                                       &linear,
                                       &chain,
                                       &binary,
                                       &in_order_binary,
                                       &knomial,
                                       &circulant_blocks,
                                       &multi_lane,
                                       &bine,
                                       &fixed_tree};

}  // namespace breakeven::kernels::reduce
