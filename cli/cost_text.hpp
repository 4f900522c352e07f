// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "harness/cost.hpp"

namespace breakeven {

/// "planned: 40 launches, 2304 measurements, at most 19 min 12 s and 1.3 node-hours of measuring;
/// ..."
[[nodiscard]] std::string to_text(const PlannedCost& cost);

}  // namespace breakeven
