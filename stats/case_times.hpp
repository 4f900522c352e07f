// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/case.hpp"
#include "core/units.hpp"
#include "stats/median.hpp"

namespace breakeven::stats {

/// The fewest launches for a decision or a verdict: the range of two launches covers the median
/// with a probability of only one half.
inline constexpr int kLeastLaunches = 3;

/// What one case took in each of its launches.
struct CaseTimes {
  Case what{};
  std::map<std::int64_t, Seconds> by_launch{};  ///< the launch's median
  bool oversubscribed = false;                  ///< in any of the launches
};

/// One entry per case, in case order.
[[nodiscard]] std::vector<CaseTimes> group_by_case(std::span<const Measurement> measurements);

/// The median over the launches, in seconds.
[[nodiscard]] Estimate estimate(const CaseTimes& times);

/// The sum of the cases' times in each launch that measured them all.
[[nodiscard]] std::map<std::int64_t, Seconds> sum_per_launch(
    std::span<const CaseTimes* const> cases);

/// Both times of each launch that has both. Launches differ as a whole, by where their ranks
/// landed, and that hits both alike.
[[nodiscard]] std::map<std::int64_t, std::pair<Seconds, Seconds>> pair_by_launch(
    const std::map<std::int64_t, Seconds>& above, const std::map<std::int64_t, Seconds>& below);

/// Launches are paired: sum(above) / sum(below) in each launch that measured all of them, then the
/// median of these ratios. Nothing when no launch did.
[[nodiscard]] std::optional<Estimate> estimate_ratio(std::span<const CaseTimes* const> above,
                                                     std::span<const CaseTimes* const> below);

/// The geometric mean of above / below over the launches that measured both, with Student's t
/// interval (see stats/geometric_mean.hpp). Nothing where fewer than two launches measured both
/// with times above zero.
[[nodiscard]] std::optional<Estimate> estimate_mean_ratio(const CaseTimes& above,
                                                          const CaseTimes& below);

/// Whether `faster` is significantly faster: of the ratios to `slower`, paired over
/// kLeastLaunches launches or more, both the median's interval and the mean's with 95 % lie wholly
/// below 1. Launches differ as a whole, by where their ranks landed, and that hits all candidates
/// alike; unpaired intervals would be wider for it. Two equal candidates come out as different in
/// at most one comparison of twenty, however few launches there are.
/// A difference in the last digits, as models have it from rounding, is none.
[[nodiscard]] bool significantly_faster(const CaseTimes& faster, const CaseTimes& slower);

}  // namespace breakeven::stats
