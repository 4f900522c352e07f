// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "kernels/algorithm.hpp"

namespace breakeven::kernels::allgather {

extern const Algorithm bine;
extern const Algorithm bruck;
extern const Algorithm circulant;
extern const Algorithm circulant_blocks;
extern const Algorithm direct;
extern const Algorithm dissemination;
extern const Algorithm k_ring;
extern const Algorithm multi_lane;
extern const Algorithm neighbor_exchange;
extern const Algorithm pat;
extern const Algorithm recursive_doubling;
extern const Algorithm ring;
extern const Algorithm sparbit;

inline constexpr std::array kCatalogue{&ring,
                                       &bruck,
                                       &dissemination,
                                       &circulant,
                                       &recursive_doubling,
                                       &neighbor_exchange,
                                       &sparbit,
                                       &direct,
                                       &bine,
                                       &multi_lane,
                                       &pat,
                                       &k_ring,
                                       &circulant_blocks};

}  // namespace breakeven::kernels::allgather
