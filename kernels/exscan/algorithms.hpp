// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "kernels/algorithm.hpp"

namespace breakeven::kernels::exscan {

extern const Algorithm chain;
extern const Algorithm doubling_123;
extern const Algorithm hierarchical;
extern const Algorithm recursive_doubling;
extern const Algorithm shifted_doubling;
extern const Algorithm two_op_doubling;

inline constexpr std::array kCatalogue{
    &chain, &recursive_doubling, &two_op_doubling, &shifted_doubling, &doubling_123, &hierarchical};

}  // namespace breakeven::kernels::exscan
