// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "kernels/algorithm.hpp"

namespace breakeven::allreduce {

extern const Algorithm halving_doubling;
extern const Algorithm recursive_doubling;
extern const Algorithm reduce_bcast;
extern const Algorithm ring;

inline constexpr std::array kCatalogue{&halving_doubling, &recursive_doubling, &reduce_bcast,
                                       &ring};

}  // namespace breakeven::allreduce
