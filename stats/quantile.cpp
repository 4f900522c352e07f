// SPDX-License-Identifier: BSD-3-Clause
#include "stats/quantile.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>

#include "core/error.hpp"

namespace breakeven::stats {

double quantile_of_sorted(std::span<const double> sorted, double fraction) {
  if (sorted.empty()) throw Error("quantile of no valid sample");
  const bool possible = fraction >= 0 && fraction <= 1;  // and not NaN
  if (!possible) throw Error(fmt::format("no quantile {}", fraction));
  const double place = static_cast<double>(sorted.size() - 1) * fraction;
  const auto below = static_cast<std::size_t>(place);
  const double rest = place - static_cast<double>(below);
  // Not lerp(x, infinity, 0), which is infinite.
  return rest == 0 ? sorted[below] : std::lerp(sorted[below], sorted[below + 1], rest);
}

}  // namespace breakeven::stats
