// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "kernels/algorithm.hpp"

namespace breakeven::kernels::alltoall {

extern const Algorithm bine;
extern const Algorithm bruck;
extern const Algorithm hierarchical;
extern const Algorithm linear;
extern const Algorithm pairwise;

inline constexpr std::array kCatalogue{&linear, &pairwise, &bruck, &hierarchical, &bine};

/// Those in which each block goes from its source to its destination: the others do not know its
/// size in an alltoallv or alltoallw.
inline constexpr std::array kDirect{&linear, &pairwise};

}  // namespace breakeven::kernels::alltoall
