// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "kernels/algorithm.hpp"

namespace breakeven::kernels::gather {

extern const Algorithm bine;
extern const Algorithm binomial;
extern const Algorithm circulant;
extern const Algorithm knomial;
extern const Algorithm linear;

inline constexpr std::array kCatalogue{&linear, &binomial, &circulant, &knomial, &bine};

}  // namespace breakeven::kernels::gather
