// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "core/quantile.hpp"

namespace breakeven {

enum class BootstrapMethod : std::uint8_t {
  percentile,  ///< quantiles of the resampled ratios
  bca,         ///< the same, moved by what they are biased and skewed: bias-corrected, accelerated
};

/// How to resample. The same seed gives the same interval on every platform.
struct Bootstrap {
  BootstrapMethod method = BootstrapMethod::bca;
  int resamples = 2000;
  double confidence = 0.95;
  std::uint64_t seed = 1;
};

/// The interval of median(above) / median(below) of two independent samples of durations, each
/// resampled with replacement on its own.
///
/// Its coverage is what was asked for, true for many values only: with fewer than about ten, prefer
/// order statistics.
/// @throws Error when a sample is empty or holds a value that isn't above 0, or for fewer than one
///         resample or a confidence outside of (0, 1).
/// @see Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapters 13 and 14
[[nodiscard]] Interval bootstrap_ratio(std::span<const double> above, std::span<const double> below,
                                       const Bootstrap& bootstrap = {});

/// The same of pairs, such as what two algorithms took in the same launches: what hits both values
/// of a pair stays together.
/// @throws Error as above, and when the samples differ in length.
[[nodiscard]] Interval bootstrap_ratio_of_pairs(std::span<const double> above,
                                                std::span<const double> below,
                                                const Bootstrap& bootstrap = {});

}  // namespace breakeven
