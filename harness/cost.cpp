// SPDX-License-Identifier: BSD-3-Clause
#include "harness/cost.hpp"

#include <algorithm>

namespace breakeven {

PlannedCost most_cost(const Plan& plan, const MeasurePlan& measure) {
  constexpr double kHour = 3600;
  const double each = std::max(measure.case_budget.value, measure.min_time.value);
  PlannedCost cost{.launches = plan.launches.size(), .measurements = measurements(plan)};
  for (const PlannedLaunch& launch : plan.launches) {
    const double seconds = each * static_cast<double>(launch.cases.size());
    cost.time.value += seconds;
    cost.node_hours += seconds * launch.nodes / kHour;
  }
  return cost;
}

}  // namespace breakeven
