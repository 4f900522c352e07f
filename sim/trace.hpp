// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "kernels/call.hpp"
#include "kernels/exchange.hpp"
#include "sim/noise.hpp"

namespace breakeven::sim {

/// When the parts of an exchange happen on a machine.
struct Trace {
  std::vector<Span> messages{};                 ///< by transfer: from its sender to its receiver
  std::vector<std::vector<Span>> reductions{};  ///< reductions[rank], in order
  std::vector<Ticks> starts{};                  ///< when each rank begins
  std::vector<Ticks> done{};                    ///< when each rank has ended its last round

  /// When the last rank is done.
  [[nodiscard]] Ticks end() const;
  /// How much later the last rank is done than the first.
  [[nodiscard]] Ticks skew() const;
};

/// Disturbances of a run: starts apart, and noise.
struct Conditions {
  std::vector<Ticks> starts{};  ///< when each rank begins; empty: all at 0
  Noise noise{};
};

/// When each of `procs` ranks begins: at a random time within the skew, the same ones for a seed.
/// Empty without a skew.
[[nodiscard]] std::vector<Ticks> starts_of(Seconds skew, int procs, std::uint64_t seed = 1);

/// The bytes of each set of blocks.
[[nodiscard]] std::vector<std::int64_t> bytes_of_sets(const kernels::Exchange& exchange,
                                                      const kernels::CollectiveCall& call);

/// The time of a reduction of each set of blocks.
[[nodiscard]] std::vector<Ticks> reduction_times(std::span<const std::int64_t> bytes_of_sets,
                                                 const Gamma& gamma);

}  // namespace breakeven::sim
