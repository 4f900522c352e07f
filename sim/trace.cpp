// SPDX-License-Identifier: BSD-3-Clause
#include "sim/trace.hpp"

#include <algorithm>
#include <random>

namespace breakeven::sim {

Ticks Trace::end() const { return *std::ranges::max_element(done); }

Ticks Trace::skew() const {
  const auto [first, last] = std::ranges::minmax_element(done);
  return *last - *first;
}

std::vector<Ticks> starts_of(Seconds skew, int procs, std::uint64_t seed) {
  if (skew.value == 0) return {};
  std::mt19937_64 random{seed};
  const Ticks most = ticks_of(skew);
  std::vector<Ticks> starts(static_cast<std::size_t>(procs));
  for (Ticks& each : starts) {
    each = static_cast<Ticks>(random() % static_cast<std::uint64_t>(most + 1));
  }
  return starts;
}

std::vector<std::int64_t> bytes_of_sets(const kernels::Exchange& exchange,
                                        const kernels::CollectiveCall& call) {
  std::vector<std::int64_t> bytes;
  bytes.reserve(static_cast<std::size_t>(exchange.sets()));
  for (int set = 0; set < exchange.sets(); ++set) {
    std::int64_t sum = 0;
    for (const kernels::BlockRange blocks : exchange.blocks_of(set)) {
      sum += kernels::bytes_of(call, exchange.blocks, blocks).value;
    }
    bytes.push_back(sum);
  }
  return bytes;
}

std::vector<Ticks> reduction_times(std::span<const std::int64_t> bytes_of_sets,
                                   const Gamma& gamma) {
  std::vector<Ticks> times;
  times.reserve(bytes_of_sets.size());
  for (const std::int64_t bytes : bytes_of_sets) {
    times.push_back(gamma.time(static_cast<double>(bytes)));
  }
  return times;
}

}  // namespace breakeven::sim
