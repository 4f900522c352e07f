// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/fit_parts.hpp"

namespace breakeven::sim {

namespace {

constexpr std::size_t kLeastPoints = 3;
constexpr std::size_t kMostLines = 4;

/// The sum of the squares of relative differences from the line for which it is least.
double squares(std::span<const double> x, std::span<const double> y) {
  double weights = 0;
  double mean_x = 0;
  double mean_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double weight = 1 / (y[i] * y[i]);
    weights += weight;
    mean_x += weight * x[i];
    mean_y += weight * y[i];
  }
  mean_x /= weights;
  mean_y /= weights;
  double xx = 0;
  double xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double weight = 1 / (y[i] * y[i]);
    xx += weight * (x[i] - mean_x) * (x[i] - mean_x);
    xy += weight * (x[i] - mean_x) * (y[i] - mean_y);
  }
  const double slope = xx > 0 ? xy / xx : 0;
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double difference = (mean_y + slope * (x[i] - mean_x) - y[i]) / y[i];
    sum += difference * difference;
  }
  return sum;
}

}  // namespace

std::vector<double> line_ends(std::span<const double> x, std::span<const double> y) {
  constexpr double kGain = 2. / 3;
  constexpr double kGood = 0.02;
  const std::size_t size = x.size();
  const double infinity = std::numeric_limits<double>::infinity();
  // least[k][n]: of the first n points by k + 1 lines; from[k][n]: where the last of these begins.
  std::vector<std::vector<double>> least(kMostLines, std::vector<double>(size + 1, infinity));
  std::vector<std::vector<std::size_t>> from(kMostLines, std::vector<std::size_t>(size + 1, 0));
  for (std::size_t n = 1; n <= size; ++n) {
    least[0][n] = squares(x.first(n), y.first(n));
    for (std::size_t k = 1; k < kMostLines; ++k) {
      for (std::size_t begin = k * kLeastPoints; begin + kLeastPoints <= n; ++begin) {
        const double sum =
            least[k - 1][begin] + squares(x.subspan(begin, n - begin), y.subspan(begin, n - begin));
        if (sum >= least[k][n]) continue;
        least[k][n] = sum;
        from[k][n] = begin;
      }
    }
  }
  const auto difference = [&](std::size_t k) {
    return std::sqrt(least[k][size] / static_cast<double>(size));
  };
  std::size_t lines = 0;
  for (std::size_t k = 1; k < kMostLines; ++k) {
    if (difference(lines) <= kGood) break;
    if (difference(k) <= kGain * difference(lines)) lines = k;
  }
  std::vector<double> ends;
  std::size_t end = size;
  for (std::size_t k = lines; k > 0; --k) {
    end = from[k][end];
    ends.push_back(x[end - 1]);
  }
  std::ranges::reverse(ends);
  return ends;
}

}  // namespace breakeven::sim
