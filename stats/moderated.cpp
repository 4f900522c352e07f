// SPDX-License-Identifier: BSD-3-Clause
#include "stats/moderated.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace breakeven::stats {

namespace {

using Shares = std::array<double, kNoises>;

constexpr double kOutlier = 1.5;            // standard deviations
constexpr double kNormalSquares = 0.86639;  // mean of a normal value's square with these weights
constexpr double kAnyNoise = 4;             // comparisons that noise of any size counts as
constexpr double kNegligible = 1e-5;        // a probability that moves no end of an interval

// The standard deviations, and their logarithms.
constexpr Shares kNoise = [] {
  Shares all{0x1p-20};
  for (std::size_t i = 1; i < kNoises; ++i) all[i] = all[i - 1] * std::numbers::sqrt2;
  return all;
}();
constexpr Shares kLogNoise = [] {
  Shares all{};
  for (std::size_t i = 0; i < kNoises; ++i) {
    all[i] = (0.5 * static_cast<double>(i) - 20) * std::numbers::ln2;
  }
  return all;
}();

double square(double value) { return value * value; }

void normalize(Shares& noise) {
  const double sum = std::accumulate(noise.begin(), noise.end(), 0.0);
  for (double& each : noise) each /= sum;
}

/// A comparison while it is fitted.
class Fit {
 public:
  explicit Fit(const std::vector<double>& values) : values_{&values} {
    weigh(std::numeric_limits<double>::infinity());
  }

  /// The probability of each noise, given how often each occurs; adds it to the sum over all.
  void expect(const Shares& shares, Shares& sum) {
    for (std::size_t i = 0; i < kNoises; ++i) ratio_.noise[i] = likelihood_[i] * shares[i];
    normalize(ratio_.noise);
    for (std::size_t i = 0; i < kNoises; ++i) sum[i] += ratio_.noise[i];
  }

  void reweigh() {
    weigh(kOutlier * std::exp(std::inner_product(kLogNoise.begin(), kLogNoise.end(),
                                                 ratio_.noise.begin(), 0.0)));
  }

  /// Its prior is what the others have: its own noise is not seen twice.
  [[nodiscard]] LogRatio result(const Shares& sum) const {
    LogRatio result = ratio_;
    for (std::size_t i = 0; i < kNoises; ++i) {
      result.noise[i] = likelihood_[i] * (kAnyNoise / kNoises + sum[i] - ratio_.noise[i]);
    }
    normalize(result.noise);
    return result;
  }

 private:
  /// @param outlier  values farther from the centre weigh less
  void weigh(double outlier) {
    const auto weight = [&, centre = ratio_.centre](double value) {
      return std::min(1.0, outlier / std::abs(value - centre));
    };
    double sum = 0;
    ratio_.launches = 0;
    for (const double each : *values_) {
      sum += weight(each) * each;
      ratio_.launches += weight(each);
    }
    ratio_.centre = sum / ratio_.launches;
    double squares = 0;
    for (const double each : *values_) {
      squares += weight(each) * square(each - ratio_.centre) / kNormalSquares;
    }
    const auto degrees = static_cast<double>(values_->size() - 1);
    for (std::size_t i = 0; i < kNoises; ++i) {
      likelihood_[i] = -degrees * kLogNoise[i] - squares / (2 * square(kNoise[i]));
    }
    const double most = std::ranges::max(likelihood_);
    for (double& each : likelihood_) each = std::exp(each - most);
  }

  const std::vector<double>* values_;
  LogRatio ratio_;
  Shares likelihood_{};
};

/// The probability of a value above the centre by this much.
double tail(const LogRatio& ratio, double distance) {
  const double scaled = distance * std::sqrt(ratio.launches / 2);
  double probability = 0;
  for (std::size_t i = 0; i < kNoises; ++i) {
    if (ratio.noise[i] == 0) continue;
    probability += ratio.noise[i] * std::erfc(scaled / kNoise[i]) / 2;
  }
  return probability;
}

}  // namespace

std::vector<LogRatio> moderate(std::span<const std::vector<double>> comparisons) {
  constexpr int kRounds = 4;
  constexpr int kSteps = 5;
  std::vector<Fit> fits(comparisons.begin(), comparisons.end());
  Shares shares{};
  shares.fill(1.0 / kNoises);
  Shares sum{};
  for (int round = 0; round < kRounds; ++round) {
    if (round > 0) std::ranges::for_each(fits, &Fit::reweigh);
    for (int step = 0; step < kSteps; ++step) {
      sum.fill(0);
      for (Fit& fit : fits) fit.expect(shares, sum);
      for (std::size_t i = 0; i < kNoises; ++i) shares[i] = kAnyNoise / kNoises + sum[i];
      normalize(shares);
    }
  }
  std::vector<LogRatio> ratios;
  ratios.reserve(fits.size());
  for (const Fit& fit : fits) ratios.push_back(fit.result(sum));
  return ratios;
}

double p_value_above(const LogRatio& ratio, double bound) {
  return tail(ratio, ratio.centre - bound);
}

RatioInterval interval_of(const LogRatio& ratio) {
  constexpr int kHalvings = 24;
  LogRatio likely = ratio;
  for (double& each : likely.noise) each = each < kNegligible ? 0 : each;
  double low = 0;
  double high = 3 * kNoise.back();
  for (int step = 0; step < kHalvings; ++step) {
    const double middle = (low + high) / 2;
    (tail(likely, middle) > 0.025 ? low : high) = middle;
  }
  return {std::exp(ratio.centre), std::exp(ratio.centre - high), std::exp(ratio.centre + high)};
}

}  // namespace breakeven::stats
