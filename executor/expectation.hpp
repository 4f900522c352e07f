// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "kernels/call.hpp"

namespace breakeven {

/// Inputs whose result is known in closed form, so that data is checked against arithmetic and not
/// against an MPI library: element i of rank r is (r + i) mod 251, or the single bit
/// 1 << ((r + i) mod 8) for bor. Sums stay exact in float up to 67,000 ranks.

/// Element `i` of rank `rank`'s input.
[[nodiscard]] std::int64_t contribution(Op op, Rank rank, std::int64_t i);

/// contribution(op, 0, i) op ... op contribution(op, procs - 1, i), in constant time.
[[nodiscard]] std::int64_t combination(Op op, int procs, std::int64_t i);

/// Fills this rank's input buffer, input_elements(call) elements.
void fill_input(const CollectiveCall& call, std::span<std::byte> input);

/// Overwrites a result buffer with what no right result holds.
void poison(const CollectiveCall& call, std::span<std::byte> output);

/// Compares this rank's output buffer, output_elements(call) elements, with the right result.
/// Returns nothing, or a sentence on the first wrong element:
/// "element 17 of block 2: 42 instead of 45".
[[nodiscard]] std::optional<std::string> check_output(const CollectiveCall& call,
                                                      std::span<const std::byte> output);

}  // namespace breakeven
