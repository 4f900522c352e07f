// SPDX-License-Identifier: BSD-3-Clause
#include "harness/plan/race.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>
#include <optional>
#include <ranges>
#include <string>

namespace breakeven {

namespace {

constexpr double kRounding = 1e-9;  // as models have it in their last digits

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// The candidates still in the race, on the launches that measured all of them.
class Field {
 public:
  explicit Field(std::vector<const CaseTimes*> candidates)
      : candidates_{std::move(candidates)}, logs_(candidates_.size()) {
    for (const auto& [launch, time] : sum_per_launch({candidates_.data(), 1})) {
      const bool complete = std::ranges::all_of(candidates_, [&](const CaseTimes* times) {
        const auto found = times->by_launch.find(launch);
        return found != times->by_launch.end() && found->second.value > 0;
      });
      if (!complete) continue;
      for (std::size_t i = 0; i < logs_.size(); ++i) {
        logs_[i].push_back(std::log(candidates_[i]->by_launch.at(launch).value));
      }
    }
    if (launches() >= kLeastLaunches) variance_ = residual_variance();
  }

  [[nodiscard]] std::size_t size() const { return candidates_.size(); }
  [[nodiscard]] int launches() const { return static_cast<int>(logs_.front().size()); }
  [[nodiscard]] const Case& what(std::size_t i) const { return candidates_[i]->what; }
  [[nodiscard]] double log_time(std::size_t i) const { return mean(logs_[i]); }

  /// How many times as long candidate i takes as candidate j.
  [[nodiscard]] Estimate ratio(std::size_t i, std::size_t j, double confidence) const {
    std::vector<double> logs(logs_[i]);
    std::ranges::transform(logs, logs_[j], logs.begin(), std::minus{});
    const double centre = mean(logs);
    const auto n = static_cast<double>(logs.size());
    double own = 0;
    for (const double log : logs) own += (log - centre) * (log - centre) / (n - 1);
    const boost::math::students_t student{static_cast<double>(size() - 1) * (n - 1)};
    const double half = boost::math::quantile(student, (1 + confidence) / 2) *
                        std::sqrt(std::max(own, 2 * variance_) / n);
    return {.median = std::exp(centre),
            .low = std::exp(centre - half),
            .high = std::exp(centre + half),
            .coverage = confidence,
            .count = launches()};
  }

 private:
  /// What is left of the logarithms' variance once candidates and launches are accounted for.
  [[nodiscard]] double residual_variance() const {
    std::vector<double> rows;
    std::vector<double> columns(logs_.front().size(), 0);
    for (const std::vector<double>& row : logs_) {
      rows.push_back(mean(row));
      for (std::size_t l = 0; l < row.size(); ++l) {
        columns[l] += row[l] / static_cast<double>(size());
      }
    }
    const double all = mean(rows);
    double squares = 0;
    for (std::size_t i = 0; i < size(); ++i) {
      for (std::size_t l = 0; l < columns.size(); ++l) {
        squares += std::pow(logs_[i][l] - rows[i] - columns[l] + all, 2);
      }
    }
    return squares / static_cast<double>((size() - 1) * (columns.size() - 1));
  }

  std::vector<const CaseTimes*> candidates_;
  std::vector<std::vector<double>> logs_;  // by candidate, then launch
  double variance_ = 0;
};

bool native(const Case& what) { return what.algorithm == kNative; }

/// The candidates that are surely slower than `best`, each with how much.
std::map<std::size_t, Estimate> slower(const Field& field, std::size_t best, double confidence) {
  const double of_each = 1 - (1 - confidence) / static_cast<double>(field.size() - 1);
  std::map<std::size_t, Estimate> found;
  for (std::size_t i = 0; i < field.size(); ++i) {
    if (i == best) continue;
    const Estimate ratio = field.ratio(i, best, of_each);
    if (ratio.low > 1 + kRounding) found[i] = ratio;
  }
  return found;
}

std::string slower_words(const Case& rival, const Estimate& ratio) {
  return fmt::format("surely slower than {}: {:.3g} times [{:.3g}, {:.3g}] in {} launches",
                     variant_text(rival), ratio.median, ratio.low, ratio.high, ratio.count);
}

/// Why nothing more need be measured; nothing while it is open who is the fastest.
std::optional<std::string> decided(const Field& field, std::size_t best,
                                   const std::map<std::size_t, Estimate>& slower,
                                   const RaceRules& rules) {
  std::vector<std::string> equals;
  for (std::size_t i = 0; i < field.size(); ++i) {
    if (i == best || slower.contains(i)) continue;
    // Both ends of this interval are beyond the indifference with 1 - equality each, at most.
    const Estimate ratio = field.ratio(i, best, 2 * rules.equality - 1);
    if (ratio.high > 1 + rules.indifference) return std::nullopt;
    equals.push_back(variant_text(field.what(i)));
  }
  if (equals.empty())
    return fmt::format("decided: {} is the fastest", variant_text(field.what(best)));
  return fmt::format("decided: {}, {} differ by less than {:.3g} %", variant_text(field.what(best)),
                     fmt::join(equals, ", "), 100 * rules.indifference);
}

}  // namespace

void Race::add(const Measurement& measurement) {
  CaseTimes& times = problems_[without_algorithm(measurement.what)].candidates[measurement.what];
  times.what = measurement.what;
  times.by_launch[measurement.launch] = measurement.median;
}

std::vector<Dropped> Race::judge(const Case& problem) {
  const auto found = problems_.find(problem);
  if (found == problems_.end()) return {};
  judge(found->second);
  std::vector<Dropped> dropped;
  for (const Dropped& each : found->second.dropped | std::views::values) dropped.push_back(each);
  return dropped;
}

void Race::judge(Problem& problem) const {
  std::vector<const CaseTimes*> open;
  for (const auto& [what, times] : problem.candidates) {
    if (!problem.dropped.contains(what)) open.push_back(&times);
  }
  if (open.size() < 2) return;
  const Field field{open};
  if (field.launches() < kLeastLaunches) return;
  std::size_t best = 0;
  for (std::size_t i = 1; i < field.size(); ++i) {
    if (field.log_time(i) < field.log_time(best)) best = i;
  }
  const auto drop = [&](const Case& what, const std::string& reason) {
    const auto launches = static_cast<int>(problem.candidates.at(what).by_launch.size());
    problem.dropped.try_emplace(what, Dropped{what, launches, reason});
  };
  const std::map<std::size_t, Estimate> outrun = slower(field, best, rules_.confidence);
  for (const auto& [i, ratio] : outrun) {
    if (!native(field.what(i))) drop(field.what(i), slower_words(field.what(best), ratio));
  }
  if (const auto reason = decided(field, best, outrun, rules_)) {
    for (const auto& [what, times] : problem.candidates) drop(what, *reason);
  }
}

}  // namespace breakeven
