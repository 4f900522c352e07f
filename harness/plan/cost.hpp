// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>

#include "core/units.hpp"
#include "harness/plan/sweep.hpp"

namespace breakeven::plan {

/// What a plan can take at most: every measurement its whole budget. Starting jobs and checking
/// data come on top; racing and sampling until a median is sure make most sweeps far cheaper.
struct PlannedCost {
  std::size_t launches = 0;
  std::size_t measurements = 0;
  Seconds time{};         ///< of one launch after the other
  double node_hours = 0;  ///< of the nodes that the launches use
};

/// What one measurement of a case takes at least, whose calls take `call`: its fewest repetitions,
/// and the time that they are spread over.
[[nodiscard]] Seconds least_cost(Seconds call, const protocol::MeasurePlan& measure);

[[nodiscard]] PlannedCost most_cost(const SweepPlan& plan, const protocol::MeasurePlan& measure);

/// "planned: 40 launches, 2304 measurements, at most 19 min 12 s and 1.3 node-hours of measuring;
/// ..."
[[nodiscard]] std::string to_text(const PlannedCost& cost);

}  // namespace breakeven::plan
