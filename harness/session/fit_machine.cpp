// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/fit_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>

#include "core/version.hpp"

namespace breakeven::session {

namespace {

/// The cases of the plan that are among the measurements.
std::vector<sim::Observed> observed_in(const std::vector<Measurement>& measurements,
                                       const plan::SweepPlan& plan) {
  const std::set<Case> planned(plan.launches.front().cases.begin(),
                               plan.launches.front().cases.end());
  std::map<int, std::size_t> launches;  // by repeat
  for (const Measurement& each : measurements) {
    if (planned.contains(each.what)) launches.emplace(each.repeat, launches.size());
  }
  std::map<Case, sim::Observed> observed;
  for (const Measurement& each : measurements) {
    if (!planned.contains(each.what)) continue;
    sim::Observed& of =
        observed.try_emplace(each.what, sim::Observed{.what = each.what}).first->second;
    of.by_launch_s.resize(launches.size(), std::numeric_limits<double>::quiet_NaN());
    of.by_launch_s[launches.at(each.repeat)] = each.median.value;
  }
  std::vector<sim::Observed> all;
  for (auto& [what, each] : observed) all.push_back(std::move(each));
  return all;
}

sim::MachineDescription described(const Machine& machine, const plan::Sweep& sweep) {
  const NodeLayout layout = plan::layouts_of(sweep).front();
  return {
      .limits = {.procs = layout.procs,
                 .procs_per_node = layout.procs_per_node,
                 .message_bytes = std::ranges::max(sweep.messages).value},
      .origin = {.library = machine.name,
                 .library_version = machine.library_version,
                 .processor = machine.cpu,
                 .layout = fmt::format("{} processes on {} node{}, {}", layout.procs, layout.nodes,
                                       layout.nodes == 1 ? "" : "s", to_text(layout.mapping)),
                 .breakeven_version = std::string{kVersion}}};
}

}  // namespace

MachineFit fit_machine(const results::Store& store, results::MachineId id, const Machine& machine,
                       const plan::Sweep& sweep, const plan::SweepPlan& plan,
                       std::string_view model) {
  MachineFit fit;
  fit.observed = observed_in(store.measurements(id), plan);
  const sim::Fitting fitting{fit.observed};
  const std::vector<double> ends = fitting.range_ends();
  const bool one_node = plan::layouts_of(sweep).front().nodes == 1;
  for (const std::string_view each : sim::model_names()) {
    if (each != kTwoLevel || !one_node) fit.models.emplace(each, fitting.fit(each, ends));
  }
  const auto best = std::ranges::min_element(
      fit.models, {}, [](const auto& each) { return each.second.median_difference(); });
  const auto chosen = model.empty() ? best : fit.models.find(model);
  fit.chosen = chosen->first;
  fit.machine = described(machine, sweep);
  fit.machine.general = chosen->second.machine;
  fit.algorithms = fitting.fit_algorithms(fit.machine.general);
  std::vector<sim::ModelResidual> residuals;
  for (const sim::FittedAlgorithm& each : fit.algorithms) {
    if (each.has_own) fit.machine.by_algorithm.emplace(algorithm_text(each.what), each.machine);
    std::ranges::copy(each.residuals, std::back_inserter(residuals));
  }
  fit.machine.errors = sim::model_errors(residuals, fitting.launch_deviation());
  return fit;
}

}  // namespace breakeven::session
