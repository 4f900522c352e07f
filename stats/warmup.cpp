// SPDX-License-Identifier: BSD-3-Clause
#include "stats/warmup.hpp"

#include <algorithm>
#include <boost/math/statistics/univariate_statistics.hpp>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "stats/autocorrelation.hpp"
#include "stats/median.hpp"

namespace breakeven::stats {

namespace {

constexpr double kMostDeviations = 6;
constexpr double kSignificant = 4.5;
constexpr double kLeastScale = 1e-3;
constexpr double kDeviationPerMad = 1.4826;  // of normal values

/// The level and noise of a settled series.
class Reference {
 public:
  explicit Reference(std::span<const double> values)
      : median_{median({values.begin(), values.end()})} {
    // Not Boost 1.74's median_absolute_deviation: its result is right around 0 alone.
    std::vector<double> distances;
    for (const double value : values) distances.push_back(std::abs(value - median_));
    deviation_ = std::max(kLeastScale, kDeviationPerMad * median(std::move(distances)));
    std::vector<double> settled;
    for (const double value : values) settled.push_back(deviations(value));
    mean_ = boost::math::statistics::mean(settled);
    variance_ = std::max(1.0, boost::math::statistics::variance(settled));
    const auto count = static_cast<double>(values.size());
    size_ = std::min(effective_size(values).size, count);
    alike_ = count / size_;
  }

  /// How far above the settled series a value lies: 0 on average.
  [[nodiscard]] double above(double value) const { return deviations(value) - mean_; }

  /// The variance of the sum over `count` samples of what `above` gives. Neighbours that are alike
  /// make it that of fewer, equal values; and the mean is uncertain itself.
  [[nodiscard]] double variance_of_sum(double count) const {
    return variance_ * count * (std::min(count, alike_) + count / size_);
  }

 private:
  [[nodiscard]] double deviations(double value) const {
    return std::clamp((value - median_) / deviation_, -kMostDeviations, kMostDeviations);
  }

  double median_;
  double deviation_ = 0;
  double mean_ = 0;
  double variance_ = 0;
  double size_ = 0;   ///< what the series is worth in independent values
  double alike_ = 0;  ///< how many neighbours are worth one
};

}  // namespace

std::size_t warmup_length(std::span<const double> in_time_order) {
  if (in_time_order.size() < kLeastSeries) return 0;
  std::vector<double> logarithms;
  for (const double value : in_time_order) {
    logarithms.push_back(std::log(std::max(value, std::numeric_limits<double>::min())));
  }
  const std::size_t half = logarithms.size() / 2;
  const Reference reference{std::span{logarithms}.subspan(half)};
  std::size_t length = 0;
  double most = kSignificant;
  double sum = 0;
  for (std::size_t index = 0; index < half; ++index) {
    sum += reference.above(logarithms[index]);
    const double variance = reference.variance_of_sum(static_cast<double>(index + 1));
    const double stands_out = sum / std::sqrt(variance);
    if (stands_out > most) {
      most = stands_out;
      length = index + 1;
    }
  }
  return length;
}

}  // namespace breakeven::stats
