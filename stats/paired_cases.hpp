// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "core/units.hpp"
#include "stats/case_times.hpp"
#include "stats/median.hpp"

namespace breakeven::stats {

/// log(above / below) in each launch that has both (pair_by_launch), where both are above zero.
[[nodiscard]] std::map<std::int64_t, double> log_ratios(
    const std::map<std::int64_t, Seconds>& above, const std::map<std::int64_t, Seconds>& below);

/// Several cases of one problem, compared on the launches that measured all of them, on logarithms.
///
/// A few launches give a poor estimate of a ratio's variance. It is therefore the larger of two:
/// that of all cases together (the residuals of case x launch) and that of the ratio's own
/// launches.
class PairedCases {
 public:
  /// @param cases  at least two
  explicit PairedCases(std::span<const CaseTimes* const> cases);

  [[nodiscard]] int launches() const { return static_cast<int>(logs_.front().size()); }

  /// The index of the case with the least geometric mean. @pre launches() > 0
  [[nodiscard]] std::size_t fastest() const;

  /// The time of case i divided by that of case j, with Student's t interval of the logarithms.
  /// @throws Error for fewer than two launches
  [[nodiscard]] Estimate ratio(std::size_t i, std::size_t j, double confidence) const;

 private:
  [[nodiscard]] double residual_variance() const;

  std::vector<std::vector<double>> logs_;  // by case, then launch: its time to the first case's
};

}  // namespace breakeven::stats
