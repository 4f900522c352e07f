// SPDX-License-Identifier: BSD-3-Clause
#include "stats/paired_cases.hpp"

#include <algorithm>
#include <boost/math/statistics/univariate_statistics.hpp>
#include <cmath>
#include <functional>

#include "stats/geometric_mean.hpp"

namespace breakeven::stats {

using boost::math::statistics::mean;

std::map<std::int64_t, double> log_ratios(const std::map<std::int64_t, Seconds>& above,
                                          const std::map<std::int64_t, Seconds>& below) {
  std::map<std::int64_t, double> logs;
  for (const auto& [launch, pair] : pair_by_launch(above, below)) {
    const auto& [dividend, divisor] = pair;
    const bool comparable = dividend.value > 0 && divisor.value > 0;
    if (comparable) logs[launch] = std::log(dividend.value / divisor.value);
  }
  return logs;
}

PairedCases::PairedCases(std::span<const CaseTimes* const> cases) : logs_(cases.size()) {
  std::vector<std::map<std::int64_t, double>> to_first;
  to_first.reserve(cases.size());
  for (const CaseTimes* times : cases) {
    to_first.push_back(log_ratios(times->by_launch, cases.front()->by_launch));
  }
  for (const auto& [launch, zero] : to_first.front()) {
    const bool complete =
        std::ranges::all_of(to_first, [&](const auto& logs) { return logs.contains(launch); });
    if (!complete) continue;
    for (std::size_t i = 0; i < logs_.size(); ++i) logs_[i].push_back(to_first[i].at(launch));
  }
}

std::size_t PairedCases::fastest() const {
  const auto least = std::ranges::min_element(logs_, {}, [](const auto& row) { return mean(row); });
  return static_cast<std::size_t>(least - logs_.begin());
}

Estimate PairedCases::ratio(std::size_t i, std::size_t j, double confidence) const {
  std::vector<double> logs(logs_[i]);
  std::ranges::transform(logs, logs_[j], logs.begin(), std::minus{});
  MeanLog of_ratio = mean_log(logs);
  of_ratio.standard_error =
      std::max(of_ratio.standard_error, std::sqrt(2 * residual_variance() / launches()));
  of_ratio.degrees *= static_cast<double>(logs_.size() - 1);
  return estimate_geometric_mean(of_ratio, confidence);
}

/// What is left of the logarithms' variance once cases and launches are accounted for.
double PairedCases::residual_variance() const {
  std::vector<double> rows;
  std::vector<double> columns(logs_.front().size(), 0);
  for (const std::vector<double>& row : logs_) {
    rows.push_back(mean(row));
    for (std::size_t l = 0; l < row.size(); ++l) {
      columns[l] += row[l] / static_cast<double>(logs_.size());
    }
  }
  const double all = mean(rows);
  double squares = 0;
  for (std::size_t i = 0; i < logs_.size(); ++i) {
    for (std::size_t l = 0; l < columns.size(); ++l) {
      squares += std::pow(logs_[i][l] - rows[i] - columns[l] + all, 2);
    }
  }
  return squares / static_cast<double>((logs_.size() - 1) * (columns.size() - 1));
}

}  // namespace breakeven::stats
