// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "kernels/algorithm.hpp"

namespace breakeven::kernels::barrier {

extern const Algorithm dissemination;
extern const Algorithm n_way_dissemination;

inline constexpr std::array kCatalogue{&dissemination, &n_way_dissemination};

}  // namespace breakeven::kernels::barrier
