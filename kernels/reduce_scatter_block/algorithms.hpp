// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "kernels/algorithm.hpp"

namespace breakeven::reduce_scatter_block {

extern const Algorithm circulant;
extern const Algorithm pairwise;

inline constexpr std::array kCatalogue{&circulant, &pairwise};

}  // namespace breakeven::reduce_scatter_block
