// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

namespace breakeven::stats {

/// How a run of durations scatters: factors on a true time, in the order in which they are
/// measured.
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
/// Spikes strike independently and would move the median up: all factors are divided by the median
/// of the mixture of log-normals that they make.
/// Drift turns around the middle of the run: there the median is 1, and over the run as a whole.
/// The same for the same seed on every platform.
/// @throws Error when a value is outside of what is said above.
[[nodiscard]] std::vector<double> noisy_factors(const Noise& noise, int count, std::uint64_t seed);

}  // namespace breakeven::stats
