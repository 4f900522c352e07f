// SPDX-License-Identifier: BSD-3-Clause
#include "harness/plan/cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace breakeven::plan {

Seconds least_cost(Seconds call, const protocol::MeasurePlan& measure) {
  return {std::max(measure.min_time.value, measure.min_repetitions * call.value)};
}

PlannedCost most_cost(const SweepPlan& plan, const protocol::MeasurePlan& measure) {
  constexpr double kHour = 3600;
  const double each = std::max(measure.case_budget.value, measure.min_time.value);
  PlannedCost cost{.launches = plan.launches.size(), .measurements = measurements(plan)};
  for (const PlannedLaunch& launch : plan.launches) {
    const double seconds = each * static_cast<double>(launch.cases.size());
    cost.time.value += seconds;
    cost.node_hours += seconds * launch.layout.nodes / kHour;
  }
  return cost;
}

std::string to_text(const PlannedCost& cost) {
  return fmt::format(
      "planned: {} launches, {} measurements, at most {} and {:.2g} node-hours of measuring, as if "
      "each took its whole budget (most end earlier); starting jobs comes on top",
      cost.launches, cost.measurements, rough_text({std::ceil(cost.time.value)}), cost.node_hours);
}

}  // namespace breakeven::plan
