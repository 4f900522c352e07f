// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/baseline.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "guidelines/catalogue.hpp"
#include "stats/median.hpp"

namespace breakeven::guidelines {

namespace {

// A tenth: on quiet machines both probes stay within some 3 %, and a neighbour on the same cores
// costs a half or more.
constexpr double kMostDrift = 1.1;

using Times = std::map<Probe, std::vector<double>>;

Times times_of(std::span<const Launch> launches) {
  Times times;
  for (const Launch& launch : launches) {
    for (const auto& [probe, time] : launch.calibration) times[probe].push_back(time.value);
  }
  return times;
}

std::map<NodeLayout, std::vector<Launch>> by_layout(std::span<const Launch> launches) {
  std::map<NodeLayout, std::vector<Launch>> groups;
  for (const Launch& each : launches) groups[each.layout].push_back(each);
  return groups;
}

/// All values of a key in the environments of launches.
std::string values_of(std::span<const Launch> launches, const char* key) {
  std::set<std::string> values;
  for (const Launch& each : launches) {
    const auto environment = nlohmann::json::parse(each.environment, nullptr, false);
    if (environment.is_object()) values.insert(environment.value(key, "unknown"));
  }
  return fmt::format("{}", fmt::join(values, ", "));
}

}  // namespace

Drift::Drift(std::span<const Launch> now, std::span<const Launch> before) {
  Times then = times_of(before);
  for (auto& [probe, times] : times_of(now)) {
    if (!then.contains(probe)) continue;
    factors_[probe] = stats::median(times) / stats::median(then[probe]);
  }
}

double Drift::machine() const {
  double factor = 0;
  for (const Probe probe : {Probe::arithmetic, Probe::copy}) {
    const auto found = factors_.find(probe);
    if (found != factors_.end()) factor = std::max(factor, found->second);
  }
  return factor == 0 ? 1 : factor;
}

bool Drift::too_large() const {
  return std::ranges::any_of(std::array{Probe::arithmetic, Probe::copy}, [&](Probe probe) {
    const auto found = factors_.find(probe);
    return found != factors_.end() && std::abs(std::log(found->second)) > std::log(kMostDrift);
  });
}

double Drift::transport() const {
  double factor = 1;
  for (const auto& [probe, times] : factors_) {
    if (probe != Probe::arithmetic && probe != Probe::copy) {
      factor = std::max(factor, times / machine());
    }
  }
  return factor;
}

std::string Drift::text() const {
  std::vector<std::string> parts;
  for (const auto& [probe, factor] : factors_) {
    parts.push_back(fmt::format("{} {:.2f}", kProbes.of(probe), factor));
  }
  return parts.empty() ? "" : fmt::format("{} times", fmt::join(parts, ", "));
}

Drifts drifts_since(std::span<const Launch> now, std::span<const Launch> before) {
  Drifts drifts;
  const auto then = by_layout(before);
  for (const auto& [layout, launches] : by_layout(now)) {
    const auto same = then.find(layout);
    if (same != then.end()) drifts.emplace(layout, Drift{launches, same->second});
  }
  return drifts;
}

std::vector<Comparison> by_baseline(const Problems& problems, const Problems& before,
                                    const Drifts& drifts) {
  std::vector<Comparison> comparisons;
  for (const auto& [problem, candidates] : problems.all()) {
    const stats::CaseTimes* const now = problems.native(problem);
    const stats::CaseTimes* const then = before.native(problem);
    if (now == nullptr || then == nullptr) continue;
    stats::CaseTimes drifted = numbered(*then);
    const auto drift = drifts.find(layout_of(problem));
    const double factor = drift == drifts.end() ? 1 : drift->second.machine();
    for (auto& [launch, time] : drifted.by_launch) time.value *= factor;
    comparisons.push_back(
        paired(guideline_of(Family::baseline, problem.collective), numbered(*now), drifted));
  }
  return comparisons;
}

std::string other_cause(const Comparison& comparison, double ratio, double tolerance,
                        const Drifts& drifts) {
  const Case& what = comparison.left.what;
  const auto found = drifts.find(layout_of(what));
  const bool of_baseline = comparison.guideline == &guideline_of(Family::baseline, what.collective);
  if (!of_baseline || found == drifts.end()) return {};
  const Drift& drift = found->second;
  if (drift.too_large()) {
    return fmt::format("the machine itself changed at p = {}: {}", what.procs, drift.text());
  }
  if (ratio > 1 + tolerance && ratio <= (1 + tolerance) * drift.transport()) {
    return fmt::format("the transport changed as much at p = {}: {}", what.procs, drift.text());
  }
  return {};
}

std::vector<std::string> differences(const Machine& now, std::span<const Launch> launches,
                                     const Machine& before,
                                     std::span<const Launch> launches_before) {
  std::vector<std::string> found;
  const auto compare = [&](std::string_view what, std::string_view here, std::string_view there) {
    if (here != there) found.push_back(fmt::format("{}: {}, was {}", what, here, there));
  };
  compare("machine", now.name, before.name);
  compare("library", now.library_version, before.library_version);
  compare("processor", now.cpu, before.cpu);
  compare("kernel", values_of(launches, "kernel"), values_of(launches_before, "kernel"));
  const std::string settings = difference(now.settings, before.settings);
  if (!settings.empty()) found.push_back(fmt::format("settings: {}", settings));
  return found;
}

}  // namespace breakeven::guidelines
