// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/units.hpp"

namespace breakeven::results {

/// Durations as the database holds them: rounded to picoseconds, then the differences of
/// consecutive ones, the first from 0, each in zigzag code (0, -1, 1, -2, ... become 0, 1, 2, 3,
/// ...) as a LEB128 number (seven bits a byte, the low ones first, the top bit set on all bytes but
/// the last). About three bytes a sample, since consecutive durations are similar.
/// @throws Error when one is negative, not finite, or too long for 63 bits (106 days).
[[nodiscard]] std::vector<std::uint8_t> encode_picoseconds(std::span<const Seconds> durations);

/// @return the durations, each the double nearest to its whole number of picoseconds.
/// @throws Error when encode_picoseconds() does not make these bytes of `count` durations.
[[nodiscard]] std::vector<Seconds> decode_picoseconds(std::span<const std::uint8_t> bytes,
                                                      std::size_t count);

}  // namespace breakeven::results
