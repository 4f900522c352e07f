// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "stats/random.hpp"

namespace breakeven::guidelines::testing {

/// Doubles and sum on one node.
[[nodiscard]] inline Case on_node(Collective collective, std::string algorithm, std::int64_t bytes,
                                  int procs = 4) {
  return {.collective = collective,
          .variant = Variant::of(algorithm),
          .procs = procs,
          .nodes = 1,
          .procs_per_node = procs,
          .message = {moves_data(collective) ? bytes : 0},
          .datatype = Datatype::double_,
          .op = reduces(collective) ? Op::sum : Op::none};
}

/// A machine that takes known times. Each case varies by a standard deviation of its own, in one of
/// 20 launches by four times that, so that log ratios have the noise of 173 that were measured at
/// p = 2 on a virtual machine with two cores: standard deviations of 0.7 to 9 % (5th and 95th
/// percentile; median 2.3 %). Launches differ by 5 %, one of ten is 30 % slower, and each is 1 %
/// slower than the last.
class Machine {
 public:
  explicit Machine(std::uint64_t seed) : generator_{seed} {}

  /// @param seconds  the truth
  [[nodiscard]] std::vector<Measurement> measure(
      const std::vector<Case>& cases, int launches,
      const std::function<double(const Case&)>& seconds) {
    std::vector<double> deviations;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      deviations.push_back(0.011 * std::exp(0.9 * stats::standard_normal(generator_)));
    }
    std::vector<Measurement> measurements;
    for (int launch = 0; launch < launches; ++launch) {
      std::map<int, double> of_launch;  // at each number of processes
      for (std::size_t i = 0; i < cases.size(); ++i) {
        const Case& what = cases[i];
        if (!of_launch.contains(what.procs)) {
          const double phase = stats::uniform(generator_) < 0.1 ? std::log(1.3) : 0;
          of_launch[what.procs] = phase + 0.05 * stats::standard_normal(generator_) + 0.01 * launch;
        }
        const double outlier = stats::uniform(generator_) < 0.05 ? 4 : 1;
        const double own = outlier * deviations[i] * stats::standard_normal(generator_);
        const Seconds median{seconds(what) * std::exp(of_launch[what.procs] + own)};
        measurements.push_back({.what = what,
                                .launch = 100 * what.procs + launch,
                                .repeat = launch,
                                .samples = 100,
                                .median = median,
                                .low = median,
                                .high = median});
      }
    }
    return measurements;
  }

 private:
  std::mt19937_64 generator_;
};

}  // namespace breakeven::guidelines::testing
