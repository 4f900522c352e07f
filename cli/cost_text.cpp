// SPDX-License-Identifier: BSD-3-Clause
#include "cli/cost_text.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "cli/progress.hpp"

namespace breakeven {

std::string to_text(const PlannedCost& cost) {
  const std::chrono::seconds time{static_cast<long>(std::ceil(cost.time.value))};
  return fmt::format(
      "planned: {} launches, {} measurements, at most {} and {:.2g} node-hours of measuring, as if "
      "each took its whole budget (most end earlier); starting jobs comes on top",
      cost.launches, cost.measurements, to_text(time), cost.node_hours);
}

}  // namespace breakeven
