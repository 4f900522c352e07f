// SPDX-License-Identifier: BSD-3-Clause
#include "stats/belief.hpp"

#include <boost/math/distributions/normal.hpp>
#include <boost/math/quadrature/trapezoidal.hpp>
#include <cmath>

namespace breakeven::stats {

double Belief::deviation() const { return std::sqrt(variance); }

Belief operator-(const Belief& one, const Belief& other) {
  return {one.mean - other.mean, one.variance + other.variance};
}

RatioInterval interval_of(const Belief& log_ratio, double deviations) {
  const double half = deviations * log_ratio.deviation();
  return {std::exp(log_ratio.mean), std::exp(log_ratio.mean - half),
          std::exp(log_ratio.mean + half)};
}

bool significantly_less(const Belief& one, const Belief& other) {
  const Belief difference = other - one;
  return difference.mean > kDeviations * difference.deviation();
}

double probability_near_least(std::span<const Belief> all, std::size_t which, double margin) {
  constexpr double kWidest = 8;  // standard deviations: beyond them lies 1e-15
  const Belief& chosen = all[which];
  const auto density = [&](double z) {
    const double value = chosen.mean + z * chosen.deviation() - margin;
    double probability = pdf(boost::math::normal{}, z);
    for (std::size_t i = 0; i < all.size() && probability > 0; ++i) {
      if (i == which) continue;
      const double deviation = all[i].deviation();
      if (deviation == 0) {
        if (all[i].mean < value) return 0.0;
      } else {
        probability *= cdf(boost::math::normal{}, (all[i].mean - value) / deviation);
      }
    }
    return probability;
  };
  return boost::math::quadrature::trapezoidal(density, -kWidest, kWidest, 1e-4);
}

}  // namespace breakeven::stats
