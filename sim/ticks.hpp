// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/units.hpp"

namespace breakeven::sim {

/// Time in whole femtoseconds: a sum has no rounding, so that a result is the same everywhere, to
/// the last digit.
using Ticks = std::int64_t;

inline constexpr double kTicksPerSecond = 1e15;

/// @throws UsageError from a quarter of an hour on: a run's sums must not overflow.
[[nodiscard]] inline Ticks ticks_of(Seconds time) {
  constexpr double kMost = 900;
  if (!(time.value < kMost)) {
    throw UsageError(
        "a step takes 15 minutes or more on this model: its keys are seconds, or seconds per byte, "
        "as L=2e-6 or beta=1e-9");
  }
  return std::llround(time.value * kTicksPerSecond);
}

[[nodiscard]] inline Seconds seconds_of(Ticks ticks) {
  return {static_cast<double>(ticks) / kTicksPerSecond};
}

/// Seconds for each byte that a rank reduces, by how many it reduces at once.
struct Gamma {
  Gamma() = default;
  Gamma(Seconds per_byte) : ranges{{std::numeric_limits<double>::infinity(), per_byte}} {}

  /// Each with the bytes up to which it holds; ascending, the last without a limit.
  std::vector<std::pair<double, Seconds>> ranges{};

  [[nodiscard]] Ticks time(double bytes) const {
    auto range = ranges.begin();
    while (bytes > range->first) ++range;
    return ticks_of({bytes * range->second.value});
  }
};

}  // namespace breakeven::sim
