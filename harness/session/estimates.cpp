// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/estimates.hpp"

#include <map>
#include <ranges>
#include <span>
#include <vector>

#include "tuner/contest.hpp"
#include "tuner/make_table.hpp"

namespace breakeven::session {

namespace {

/// Each choice of a table, with the probability that it is near the best.
std::map<Case, double> choices_of(std::span<const Measurement> measurements) {
  std::map<Case, double> choices;
  for (const tuner::Decision& decision : tuner::decide(tuner::choosable(measurements))) {
    for (const tuner::Contest& contest : decision.contests) {
      choices[with_variant(contest.problem, decision.choice().times.what.variant)] =
          decision.near_best;
    }
  }
  return choices;
}

results::CaseEstimate estimate_of(const tuner::Contest& contest,
                                  const tuner::Candidate& candidate) {
  const tuner::AdjustedTime time = contest.time_of(candidate);
  return {.what = candidate.times.what,
          .median = stats::estimate(candidate.times),
          .time = time.time,
          .low = time.low,
          .high = time.high,
          .speedup = candidate.speedup(),
          .speedup_has_interval = contest.noise_known || candidate.native(),
          .paired_launches = candidate.launches};
}

}  // namespace

void store_estimates(results::Store& store, results::MachineId machine) {
  const std::vector<Measurement> measurements = store.measurements(machine);
  const std::map<Case, double> choices = choices_of(measurements);
  std::vector<results::CaseEstimate> estimates;
  for (const auto& by_counts : tuner::contests_of(measurements) | std::views::values) {
    for (const tuner::Contest& contest : by_counts | std::views::values) {
      int place = 0;
      for (const tuner::Candidate& each : contest.candidates) {
        results::CaseEstimate& estimate = estimates.emplace_back(estimate_of(contest, each));
        estimate.place = ++place;
        const auto chosen = choices.find(estimate.what);
        if (chosen != choices.end()) estimate.near_best = chosen->second;
      }
    }
  }
  store.conclude(machine, estimates);
}

}  // namespace breakeven::session
