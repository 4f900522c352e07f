// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "sim/fit.hpp"

namespace breakeven::cli {

/// How well each model matches the patterns, the best first: median relative difference of all and
/// of each pattern.
/// @param observed  what the models were fitted to
[[nodiscard]] std::string models_table(std::span<const sim::Observed> observed,
                                       const std::map<std::string_view, sim::FittedModel>& models);

/// The parameters of a machine by range, with their 95 % intervals.
[[nodiscard]] std::string parameters_table(const sim::FittedMachine& fitted);

/// The factors within which measured and predicted times agree, by collective.
[[nodiscard]] std::string errors_table(const sim::ModelErrors& errors);

/// How well the measured algorithms are predicted.
[[nodiscard]] std::string algorithms_table(std::span<const sim::FittedAlgorithm> algorithms);

}  // namespace breakeven::cli
