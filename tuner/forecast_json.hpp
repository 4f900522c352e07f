// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tuner/forecast.hpp"

namespace breakeven::tuner {

/// Forecasts for other programs and for the map, format "breakeven-prediction-1", one line: see
/// docs/files.md.
/// @param baseline  the algorithm that a map compares the others with, or empty
[[nodiscard]] std::string forecast_json(const ForecastQuestion& question,
                                        const sim::MachineDescription& machine,
                                        std::span<const ForecastCell> cells,
                                        std::string_view baseline = {});

}  // namespace breakeven::tuner
