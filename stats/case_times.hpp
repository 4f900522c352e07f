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

/// log(above / below) in each launch that has both, where both are above zero.
[[nodiscard]] std::map<std::int64_t, double> log_ratios(
    const std::map<std::int64_t, Seconds>& above, const std::map<std::int64_t, Seconds>& below);

/// Launches are paired: sum(above) / sum(below) in each launch that measured all of them, then the
/// median of these ratios. Nothing when no launch did.
[[nodiscard]] std::optional<Estimate> estimate_ratio(std::span<const CaseTimes* const> above,
                                                     std::span<const CaseTimes* const> below);

}  // namespace breakeven::stats
