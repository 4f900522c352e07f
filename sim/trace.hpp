// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "kernels/call.hpp"
#include "kernels/exchange.hpp"
#include "sim/ticks.hpp"

namespace breakeven::sim {

/// A stretch of time, from the common start.
struct Span {
  Ticks begin = 0;
  Ticks end = 0;
};

/// When the parts of an exchange happen on a machine.
struct Trace {
  std::vector<Span> messages{};                 ///< by transfer: from its sender to its receiver
  std::vector<std::vector<Span>> reductions{};  ///< reductions[rank], in order
  std::vector<Ticks> done{};                    ///< when each rank has ended its last round

  /// When the last rank is done.
  [[nodiscard]] Ticks end() const;
  /// How much later the last rank is done than the first.
  [[nodiscard]] Ticks skew() const;
};

/// The bytes that a transfer carries.
[[nodiscard]] double bytes_of(const kernels::Transfer& message, const kernels::Exchange& exchange,
                              const kernels::CollectiveCall& call);

/// What the local reductions of a round take.
[[nodiscard]] Ticks reduction_time(const kernels::RoundWork& work,
                                   const kernels::Exchange& exchange,
                                   const kernels::CollectiveCall& call, const Gamma& gamma);

}  // namespace breakeven::sim
