// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

namespace breakeven::stats {

/// The noise of a series of durations: factors on a true time, in the order of measurement.
struct Noise {
  double log_sd = 0;        ///< standard deviation of the logarithm
  double spike_rate = 0;    ///< probability that a sample is a spike, below 1/2
  double spike_factor = 1;  ///< what a spike is multiplied by, 1 or more
  double drift = 0;  ///< growth from the first to the last sample: 0.1 is 10 % slower at last
  double autocorrelation = 0;  ///< of the logarithm from one sample to the next, in (-1, 1): AR(1)

  friend bool operator==(const Noise&, const Noise&) = default;
};

/// `count` factors whose true median is 1: log-normal, stationary from the first one on.
///
/// Spikes are independent and would raise the median, so all factors are divided by the median of
/// the resulting mixture of log-normals. With drift the median is 1 in the middle of the run and
/// over the whole run. The same seed gives the same factors on every platform.
/// @throws Error when a value is outside of its range.
[[nodiscard]] std::vector<double> noisy_factors(const Noise& noise, int count, std::uint64_t seed);

}  // namespace breakeven::stats
