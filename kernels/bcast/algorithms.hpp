// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "kernels/algorithm.hpp"

namespace breakeven::kernels::bcast {

extern const Algorithm binary;
extern const Algorithm bine;
extern const Algorithm binomial;
extern const Algorithm chain;
extern const Algorithm circulant_blocks;
extern const Algorithm knomial;
extern const Algorithm linear;
extern const Algorithm multi_lane;
extern const Algorithm scatter_recursive_doubling;
extern const Algorithm scatter_ring;
extern const Algorithm split_binary;

inline constexpr std::array kCatalogue{
    &binomial,    &scatter_ring, &scatter_recursive_doubling, &linear,     &chain,
    &binary,      &knomial,      &circulant_blocks,           &multi_lane, &bine,
    &split_binary};

}  // namespace breakeven::kernels::bcast
