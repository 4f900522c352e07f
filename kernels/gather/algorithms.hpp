// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "kernels/algorithm.hpp"

namespace breakeven::gather {

extern const Algorithm linear;

inline constexpr std::array kCatalogue{&linear};

}  // namespace breakeven::gather
