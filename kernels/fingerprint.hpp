// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "kernels/problem.hpp"
#include "kernels/schedule.hpp"

namespace breakeven {

/// Proves one block of a problem where `verify` would need too much memory: follows only that
/// block, each rank's contribution to it being a random 64-bit value that a reduction adds. A wrong
/// result passes with probability 2^-64. Of a barrier, follows who has heard of 64 random ranks.
///
/// Deadlocks and messages are checked as by `verify`; rank order, bits and the other blocks aren't.
/// @param problem  the problem of any rank: its `me` is ignored
/// @param world    world[r] is the schedule of rank r
/// @param block    0 .. blocks-1
/// @throws VerificationError naming rank and round.
void verify_fingerprint(const Problem& problem, std::span<const Schedule> world, int block,
                        std::uint64_t seed);

}  // namespace breakeven
