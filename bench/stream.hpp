// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

namespace breakeven::bench {

/// The least time of a reduction of this size: the "add" loop of STREAM, which reads two
/// operands and writes one; on integers, whose values don't matter. The buffers don't overlap.
void stream_add(const std::uint64_t* __restrict a, const std::uint64_t* __restrict b,
                std::uint64_t* __restrict into, std::size_t count);

/// The same where the result takes the place of `b`.
void stream_add(const std::uint64_t* __restrict a, std::uint64_t* __restrict b, std::size_t count);

}  // namespace breakeven::bench
