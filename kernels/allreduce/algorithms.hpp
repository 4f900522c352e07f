// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "kernels/algorithm.hpp"

namespace breakeven::kernels::allreduce {

extern const Algorithm binary_blocks;
extern const Algorithm bine;
extern const Algorithm circulant;
extern const Algorithm circulant_blocks;
extern const Algorithm circulant_combined;
extern const Algorithm dissemination;
extern const Algorithm elimination_21;
extern const Algorithm elimination_32;
extern const Algorithm fixed_tree;
extern const Algorithm halving_doubling;
extern const Algorithm hierarchical;
extern const Algorithm multi_lane;
extern const Algorithm pairwise_ring;
extern const Algorithm recursive_doubling;
extern const Algorithm recursive_multiplying;
extern const Algorithm reduce_bcast;
extern const Algorithm ring;

inline constexpr std::array kCatalogue{&recursive_doubling, &ring,
                                       &reduce_bcast,       &halving_doubling,
                                       &binary_blocks,      &dissemination,
                                       &circulant,          &circulant_combined,
                                       &pairwise_ring,      &elimination_21,
                                       &elimination_32,     &recursive_multiplying,
                                       &hierarchical,       &circulant_blocks,
                                       &multi_lane,         &bine,
                                       &fixed_tree};

}  // namespace breakeven::kernels::allreduce
