// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "kernels/algorithm.hpp"

namespace breakeven::barrier {

extern const Algorithm dissemination;

inline constexpr std::array kCatalogue{&dissemination};

}  // namespace breakeven::barrier
