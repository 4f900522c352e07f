// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/correction.hpp"

#include <algorithm>
#include <cmath>

#include "stats/median.hpp"

namespace breakeven::tuner {

namespace {

// Doublings over which an observation's weight halves.
constexpr double kSizes = 4;
constexpr double kNodes = 1;
constexpr double kProcsPerNode = 0.5;
constexpr double kOtherParams = 0.25;  // weight
constexpr double kNoCorrection = 0.5;  // observations
constexpr double kUsualErrors = 4;
constexpr int kRounds = 5;  // of backfitting; the effects change by less than 1 % from then on

double log_seconds(Seconds time) { return std::log(std::max(time.value, 1e-12)); }

}  // namespace

Correction::Place Correction::place_in(const Case& what) {
  return {place_of(what.message), std::log2(what.nodes), std::log2(what.procs_per_node)};
}

Correction::Kind Correction::kind_of(const Case& what) const {
  return {what.collective, what.mapping, what.counts, oversubscribed_.contains(layout_of(what))};
}

double Correction::weight(const Place& one, const Place& other) {
  return std::exp2(-std::abs(one.size - other.size) / kSizes -
                   std::abs(one.nodes - other.nodes) / kNodes -
                   std::abs(one.procs_per_node - other.procs_per_node) / kProcsPerNode);
}

Correction::Correction(const Predictions& predictions, const Contests& contests,
                       std::optional<int> without)
    : predictions_{predictions} {
  for (const auto& [key, by_counts] : contests) {
    for (const auto& [counts, contest] : by_counts) {
      const bool turns = std::ranges::any_of(
          contest.candidates, [](const Candidate& each) { return each.times.oversubscribed; });
      if (turns) oversubscribed_.insert(layout_of(key));
    }
  }
  for (const auto& [key, by_counts] : contests) {
    if (key.procs == without) continue;
    for (const auto& [counts, contest] : by_counts) {
      for (const Candidate& each : contest.candidates) {
        const Case& what = each.times.what;
        const auto predicted = predictions.find(what);
        if (predicted == predictions.end()) continue;
        observations_[{kind_of(what), what.variant.algorithm()}].push_back(
            {.params = std::string{what.variant.params()},
             .place = place_in(what),
             .problem = contest.problem,
             .log_ratio = each.own_log_time.mean - log_seconds(predicted->second.time)});
      }
    }
  }
  for (int round = 0; round < kRounds; ++round) fit();
  for (const auto& [algorithm, seen] : observations_) {
    for (const Observation& each : seen) {
      const double corrected = correction(seen, each.params, each.place, &each);
      errors_[algorithm.first].push_back(
          {each.place, each.log_ratio - effects_.at(each.problem) - corrected});
    }
  }
}

void Correction::fit() {
  std::map<Case, std::vector<double>> of_problems;
  for (const auto& [algorithm, seen] : observations_) {
    for (const Observation& each : seen)
      of_problems[each.problem].push_back(each.log_ratio - each.correction);
  }
  for (auto& [problem, ratios] : of_problems) effects_[problem] = stats::median(std::move(ratios));
  for (auto& [algorithm, seen] : observations_) {
    std::vector<double> corrections;
    for (const Observation& each : seen)
      corrections.push_back(correction(seen, each.params, each.place));
    for (std::size_t i = 0; i < seen.size(); ++i) seen[i].correction = corrections[i];
  }
}

double Correction::correction(const std::vector<Observation>& of_algorithm, std::string_view params,
                              const Place& place, const Observation* without) const {
  double sum = 0;
  double weights = kNoCorrection;
  for (const Observation& each : of_algorithm) {
    if (&each == without) continue;
    const double counts = weight(each.place, place) * (each.params == params ? 1 : kOtherParams);
    sum += counts * (each.log_ratio - effects_.at(each.problem));
    weights += counts;
  }
  return sum / weights;
}

/// Of a problem that was not measured: as those around it.
double Correction::effect(const Case& problem) const {
  const auto measured = effects_.find(problem);
  if (measured != effects_.end()) return measured->second;
  double sum = 0;
  double weights = 0;
  for (const auto& [other, effect] : effects_) {
    if (kind_of(other) != kind_of(problem)) continue;
    const double counts = weight(place_in(other), place_in(problem));
    sum += counts * effect;
    weights += counts;
  }
  return weights == 0 ? 0 : sum / weights;
}

std::optional<double> Correction::log_time(const Case& what) const {
  const auto predicted = predictions_.find(what);
  if (predicted == predictions_.end()) return std::nullopt;
  const double time = log_seconds(predicted->second.time) + effect(without_algorithm(what));
  const auto seen = observations_.find({kind_of(what), what.variant.algorithm()});
  if (seen == observations_.end()) return time;
  return time + correction(seen->second, what.variant.params(), place_in(what));
}

double Correction::spread(const Case& problem) const {
  double sum = kUsualErrors * kUsualSpread * kUsualSpread;
  double weights = kUsualErrors;
  const auto errors = errors_.find(kind_of(problem));
  if (errors == errors_.end()) return kUsualSpread;
  for (const Error& each : errors->second) {
    const double counts = weight(each.place, place_in(problem));
    const double faster = std::min(each.value, 0.0);
    sum += 2 * counts * faster * faster;
    weights += counts;
  }
  return std::sqrt(sum / weights);
}

}  // namespace breakeven::tuner
