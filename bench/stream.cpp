// SPDX-License-Identifier: BSD-3-Clause
#include "bench/stream.hpp"

namespace breakeven::bench {

void stream_add(const std::uint64_t* __restrict a, const std::uint64_t* __restrict b,
                std::uint64_t* __restrict into, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) into[i] = a[i] + b[i];
}

void stream_add(const std::uint64_t* __restrict a, std::uint64_t* __restrict b, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) b[i] += a[i];
}

}  // namespace breakeven::bench
