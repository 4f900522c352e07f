// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/proof.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <map>
#include <numeric>

#include "core/case_times.hpp"
#include "core/error.hpp"
#include "core/multiple_tests.hpp"

namespace breakeven {

namespace {

constexpr double kConfidence = 0.95;

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double standard_error(std::span<const double> values) {
  const double centre = mean(values);
  double squares = 0;
  for (const double each : values) squares += (each - centre) * (each - centre);
  const auto n = static_cast<double>(values.size());
  return std::sqrt(squares / (n - 1) / n);
}

boost::math::students_t student(std::span<const double> values) {
  return boost::math::students_t{static_cast<double>(values.size() - 1)};
}

/// The geometric mean of what these are the logarithms of.
Estimate estimate_mean(std::span<const double> logs) {
  const double centre = mean(logs);
  const double half =
      boost::math::quantile(student(logs), (1 + kConfidence) / 2) * standard_error(logs);
  return {.median = std::exp(centre),
          .low = std::exp(centre - half),
          .high = std::exp(centre + half),
          .coverage = kConfidence,
          .count = static_cast<int>(logs.size())};
}

/// How probable gains as low as these are where the true loss is the tolerated one.
double p_value_of_failing(std::span<const double> logs) {
  const double above = mean(logs) + std::log1p(kToleratedLoss);
  const double error = standard_error(logs);
  if (error == 0) return above < 0 ? 0 : 1;
  return boost::math::cdf(student(logs), above / error);
}

/// The logarithms of a problem's gains, by repeat.
using Gains = std::map<int, double>;

std::map<Case, Gains> gains_of(std::span<const Measurement> measurements) {
  std::map<Case, std::map<int, std::pair<double, double>>> pairs;  // default, with the table
  for (const Measurement& each : measurements) {
    auto& [by_default, tuned] = pairs[without_algorithm(each.what)][each.repeat];
    if (each.what.algorithm == kNative) by_default = each.median.value;
    if (each.what.algorithm == kTuned) tuned = each.median.value;
  }
  std::map<Case, Gains> gains;
  for (const auto& [problem, by_repeat] : pairs) {
    Gains found;
    for (const auto& [repeat, both] : by_repeat) {
      if (both.first > 0 && both.second > 0) found[repeat] = std::log(both.first / both.second);
    }
    if (found.size() >= 2) gains[problem] = std::move(found);
  }
  return gains;
}

std::vector<double> values(const Gains& gains) {
  std::vector<double> found;
  for (const auto& [repeat, log] : gains) found.push_back(log);
  return found;
}

Effect effect_of(const Estimate& gain) {
  if (gain.low > 1) return Effect::better;
  return gain.high < 1 ? Effect::worse : Effect::same;
}

/// Over the cells in each repeat, then over the repeats.
std::optional<Estimate> overall(const std::map<Case, Gains>& gains,
                                const std::function<bool(const Case&)>& counts) {
  std::map<int, std::vector<double>> by_repeat;
  for (const auto& [problem, of_problem] : gains) {
    if (!counts(problem)) continue;
    for (const auto& [repeat, log] : of_problem) by_repeat[repeat].push_back(log);
  }
  std::vector<double> means;
  for (const auto& [repeat, logs] : by_repeat) means.push_back(mean(logs));
  if (means.size() < 2) return std::nullopt;
  return estimate_mean(means);
}

}  // namespace

bool Proof::any_fails() const { return std::ranges::any_of(cells, &ProvenCell::fails); }

Proof prove(std::span<const Measurement> measurements,
            const std::function<std::string(const Case&)>& choice) {
  const std::map<Case, Gains> gains = gains_of(measurements);
  if (gains.empty()) {
    throw UsageError("no problem was measured both by default and with the table, twice at least");
  }
  Proof proof;
  std::vector<double> p_values;
  for (const auto& [problem, of_problem] : gains) {
    const std::vector<double> logs = values(of_problem);
    const Estimate gain = estimate_mean(logs);
    proof.cells.push_back(
        {.problem = problem, .choice = choice(problem), .gain = gain, .effect = effect_of(gain)});
    p_values.push_back(p_value_of_failing(logs));
  }
  const std::vector<double> adjusted = holm(p_values);
  for (std::size_t i = 0; i < adjusted.size(); ++i) {
    proof.cells[i].fails = adjusted[i] < 1 - kConfidence;
  }
  proof.gain = *overall(gains, [](const Case&) { return true; });
  proof.gain_of_changed =
      overall(gains, [&](const Case& problem) { return choice(problem) != kNative; });
  return proof;
}

}  // namespace breakeven
