// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "kernels/algorithm.hpp"

namespace breakeven::bcast {

extern const Algorithm binomial;

inline constexpr std::array kCatalogue{&binomial};

}  // namespace breakeven::bcast
