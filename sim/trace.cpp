// SPDX-License-Identifier: BSD-3-Clause
#include "sim/trace.hpp"

#include <algorithm>

namespace breakeven::sim {

Ticks Trace::end() const { return *std::ranges::max_element(done); }

Ticks Trace::skew() const {
  const auto [first, last] = std::ranges::minmax_element(done);
  return *last - *first;
}

double bytes_of(const kernels::Transfer& message, const kernels::Exchange& exchange,
                const kernels::CollectiveCall& call) {
  std::int64_t sum = 0;
  for (const kernels::BlockRange blocks : message.blocks) {
    sum += kernels::bytes_of(call, exchange.blocks, blocks).value;
  }
  return static_cast<double>(sum);
}

Ticks reduction_time(const kernels::RoundWork& work, const kernels::Exchange& exchange,
                     const kernels::CollectiveCall& call, const Gamma& gamma) {
  std::int64_t sum = 0;
  for (const kernels::BlockRange blocks : work.reduced) {
    sum += kernels::bytes_of(call, exchange.blocks, blocks).value;
  }
  return gamma.time(static_cast<double>(sum));
}

}  // namespace breakeven::sim
