// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/plan/sweep.hpp"
#include "results/store.hpp"
#include "sim/fit.hpp"
#include "sim/machine_file.hpp"

namespace breakeven::session {

/// The model with a network between nodes: it can't be fitted on one node.
inline constexpr std::string_view kTwoLevel = "two_level";

/// The models of a machine, fitted to what a database holds of a plan.
struct MachineFit {
  std::vector<sim::Observed> observed{};  ///< what the models are fitted to
  std::map<std::string_view, sim::FittedModel> models{};
  std::string_view chosen{};
  std::vector<sim::FittedAlgorithm> algorithms{};
  sim::MachineDescription machine{};  ///< of the chosen model, without name, date and command
};

/// @param model  one of sim::model_names(); empty: the one that matches best
/// @param plan   of patterns, and of algorithms whose predictions have errors
[[nodiscard]] MachineFit fit_machine(const results::Store& store, results::MachineId id,
                                     const Machine& machine, const plan::Sweep& sweep,
                                     const plan::SweepPlan& plan, std::string_view model);

}  // namespace breakeven::session
