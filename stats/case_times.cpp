// SPDX-License-Identifier: BSD-3-Clause
#include "stats/case_times.hpp"

#include <array>
#include <cmath>
#include <map>

namespace breakeven::stats {

namespace {

/// A model may need no time at all, for one process: as much as another that needs none.
double ratio(Seconds dividend, Seconds divisor) {
  return dividend == divisor ? 1 : dividend.value / divisor.value;
}

}  // namespace

std::vector<CaseTimes> group_by_case(std::span<const Measurement> measurements) {
  std::map<Case, CaseTimes> groups;
  CaseTimes* times = nullptr;  // a database gives the launches of a case together
  for (const Measurement& measurement : measurements) {
    if (times == nullptr || times->what != measurement.what) {
      times = &groups[measurement.what];
      times->what = measurement.what;
    }
    times->by_launch[measurement.launch] = measurement.median;
    times->oversubscribed |= measurement.oversubscribed;
  }
  std::vector<CaseTimes> cases;
  cases.reserve(groups.size());
  for (auto& [what, of_case] : groups) cases.push_back(std::move(of_case));
  return cases;
}

Estimate estimate(const CaseTimes& times) {
  std::vector<double> seconds;
  seconds.reserve(times.by_launch.size());
  for (const auto& [launch, median] : times.by_launch) seconds.push_back(median.value);
  return estimate_median(seconds);
}

ByLaunch<Seconds> sum_per_launch(std::span<const CaseTimes* const> cases) {
  ByLaunch<Seconds> sums = cases.front()->by_launch;
  for (const CaseTimes* next : cases.subspan(1)) {
    ByLaunch<Seconds> longer;
    for (const auto& [launch, both] : pair_by_launch(sums, next->by_launch)) {
      longer[launch] = both.first + both.second;
    }
    sums = std::move(longer);
  }
  return sums;
}

ByLaunch<std::pair<Seconds, Seconds>> pair_by_launch(const ByLaunch<Seconds>& above,
                                                     const ByLaunch<Seconds>& below) {
  ByLaunch<std::pair<Seconds, Seconds>> pairs;
  for (const auto& [launch, one] : above) {
    const auto other = below.find(launch);
    if (other != below.end()) pairs[launch] = {one, other->second};
  }
  return pairs;
}

ByLaunch<double> log_ratios(const ByLaunch<Seconds>& above, const ByLaunch<Seconds>& below) {
  ByLaunch<double> logs;
  for (const auto& [launch, pair] : pair_by_launch(above, below)) {
    const auto& [dividend, divisor] = pair;
    const bool comparable = dividend.value > 0 && divisor.value > 0;
    if (comparable) logs[launch] = std::log(dividend.value / divisor.value);
  }
  return logs;
}

std::optional<Estimate> estimate_ratio(std::span<const CaseTimes* const> above,
                                       std::span<const CaseTimes* const> below) {
  std::vector<double> ratios;
  for (const auto& [launch, pair] : pair_by_launch(sum_per_launch(above), sum_per_launch(below))) {
    ratios.push_back(ratio(pair.first, pair.second));
  }
  if (ratios.empty()) return std::nullopt;
  return estimate_median(ratios);
}

}  // namespace breakeven::stats
