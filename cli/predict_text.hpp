// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>

#include "tuner/program_forecast.hpp"

namespace breakeven::cli {

/// Prints the fastest algorithm of each cell, its time, and the next one.
void print_fastest(const tuner::ForecastQuestion& question, const sim::MachineDescription& machine,
                   std::span<const tuner::ForecastCell> cells);

/// Prints the sources' formulas, and their times next to the simulated ones of all candidates.
void print_formulas(const tuner::ForecastQuestion& question, const sim::MachineDescription& machine,
                    std::span<const tuner::ForecastCell> cells);

/// Prints the calls of a program with their predicted times, and the sum.
/// @param by_tables  else by the algorithms that are predicted to be fastest
void print_program(const tuner::ProgramForecast& program, const sim::MachineDescription& machine,
                   bool by_tables);

/// The replay of the program by the tables, for other simulators and for browsers. Of long loops
/// only some turns, which a line on standard error tells.
[[nodiscard]] std::string program_goal(const tuner::ProgramForecast& program);
/// @param machine  in words
[[nodiscard]] std::string program_chrome(const tuner::ProgramForecast& program,
                                         const std::string& machine);

}  // namespace breakeven::cli
