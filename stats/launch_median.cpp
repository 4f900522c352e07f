// SPDX-License-Identifier: BSD-3-Clause
#include "stats/launch_median.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "stats/autocorrelation.hpp"
#include "stats/quantile.hpp"

namespace breakeven::stats {

LaunchMedian launch_median(std::span<const double> in_time_order, bool drop_outliers) {
  std::vector<double> sorted{in_time_order.begin(), in_time_order.end()};
  std::ranges::sort(sorted);
  const double lower = quantile_of_sorted(sorted, 0.25);
  const double upper = quantile_of_sorted(sorted, 0.75);
  const double reach = 1.5 * (upper - lower);
  std::vector<double> within;
  std::ranges::copy_if(in_time_order, std::back_inserter(within),
                       [&](double each) { return each >= lower - reach && each <= upper + reach; });
  return {.seconds = estimate_median_of_series(drop_outliers ? within : in_time_order),
          .outliers = static_cast<int>(in_time_order.size() - within.size())};
}

}  // namespace breakeven::stats
