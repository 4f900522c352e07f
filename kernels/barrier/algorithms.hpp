// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "kernels/algorithm.hpp"

namespace breakeven::kernels::barrier {

extern const Algorithm binomial;
extern const Algorithm dissemination;
extern const Algorithm double_ring;
extern const Algorithm hierarchical;
extern const Algorithm linear;
extern const Algorithm n_way_dissemination;
extern const Algorithm recursive_doubling;

inline constexpr std::array kCatalogue{
    &dissemination, &n_way_dissemination, &recursive_doubling, &binomial,
    &linear,        &double_ring,         &hierarchical};

}  // namespace breakeven::kernels::barrier
