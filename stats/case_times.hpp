// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <boost/container/flat_map.hpp>
#include <cstdint>
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

/// A value for each launch, in one block of memory: cases are many and have few launches.
template <typename Value>
using ByLaunch = boost::container::flat_map<std::int64_t, Value>;

/// The times of one case in each of its launches.
struct CaseTimes {
  Case what{};
  ByLaunch<Seconds> by_launch{};  ///< the launch's median
  bool oversubscribed = false;    ///< in any of the launches
};

/// One entry per case, in case order.
[[nodiscard]] std::vector<CaseTimes> group_by_case(std::span<const Measurement> measurements);

/// The median over the launches, in seconds.
[[nodiscard]] Estimate estimate(const CaseTimes& times);

/// The sum of the cases' times in each launch that measured them all.
[[nodiscard]] ByLaunch<Seconds> sum_per_launch(std::span<const CaseTimes* const> cases);

/// Both times of each launch that has both. Launches differ as a whole, by where their ranks
/// landed, and that hits both alike.
[[nodiscard]] ByLaunch<std::pair<Seconds, Seconds>> pair_by_launch(const ByLaunch<Seconds>& above,
                                                                   const ByLaunch<Seconds>& below);

/// log(above / below) in each launch that has both, where both are above zero.
[[nodiscard]] ByLaunch<double> log_ratios(const ByLaunch<Seconds>& above,
                                          const ByLaunch<Seconds>& below);

/// Launches are paired: sum(above) / sum(below) in each launch that measured all of them, then the
/// median of these ratios. Nothing when no launch did.
[[nodiscard]] std::optional<Estimate> estimate_ratio(std::span<const CaseTimes* const> above,
                                                     std::span<const CaseTimes* const> below);

}  // namespace breakeven::stats
