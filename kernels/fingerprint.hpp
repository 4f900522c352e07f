// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "kernels/problem.hpp"
#include "kernels/schedule.hpp"

namespace breakeven::kernels {

/// The share of all blocks that `prove_by_fingerprints` followed.
struct Followed {
  int count = 0;  ///< blocks, or of a barrier ranks
  int of = 0;
};

/// Proves a problem at random where `verify` would need too much memory. Follows some blocks,
/// chosen by the seed, each rank's contribution to them being a random number that a reduction adds
/// modulo 2^61 - 1: a wrong result of a block that is followed passes with a probability of 2^-61,
/// as long as no contribution is counted more often than that. Of a barrier it follows the news of
/// 64 random ranks, of an alltoall all blocks of those ranks that own the chosen ones.
///
/// Deadlocks and messages are checked as by `verify`; rank order, bits and the other blocks aren't.
/// @param problem  the problem of any rank: its `me` is ignored
/// @param world    world[r] is the schedule of rank r
/// @throws VerificationError naming rank and round.
Followed prove_by_fingerprints(const Problem& problem, std::span<const Schedule> world,
                               std::uint64_t seed);

}  // namespace breakeven::kernels
