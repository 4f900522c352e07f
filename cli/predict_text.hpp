// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "tuner/forecast.hpp"

namespace breakeven::cli {

/// Prints what is fastest in each cell, how long it takes, and what comes next.
void print_fastest(const tuner::ForecastQuestion& question, const sim::MachineDescription& machine,
                   std::span<const tuner::ForecastCell> cells);

/// Prints the sources' formulas, and what they give beside the simulated times of all candidates.
void print_formulas(const tuner::ForecastQuestion& question, const sim::MachineDescription& machine,
                    std::span<const tuner::ForecastCell> cells);

}  // namespace breakeven::cli
