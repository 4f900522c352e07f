// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "kernels/algorithm.hpp"

namespace breakeven::kernels::scan {

extern const Algorithm chain;
extern const Algorithm doubling;
extern const Algorithm hierarchical;
extern const Algorithm recursive_doubling;

inline constexpr std::array kCatalogue{&chain, &doubling, &recursive_doubling, &hierarchical};

}  // namespace breakeven::kernels::scan
