// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
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
          .algorithm = std::move(algorithm),
          .procs = procs,
          .nodes = 1,
          .procs_per_node = procs,
          .message = {moves_data(collective) ? bytes : 0},
          .datatype = Datatype::double_,
          .op = reduces(collective) ? Op::sum : Op::none};
}

/// A machine that takes known times: launches differ by 5 %, one of ten is 30 % slower, and in each
/// every case varies by 5 % of its own.
class Machine {
 public:
  explicit Machine(std::uint64_t seed) : generator_{seed} {}

  /// @param seconds  the truth
  [[nodiscard]] std::vector<Measurement> measure(
      const std::vector<Case>& cases, int launches,
      const std::function<double(const Case&)>& seconds) {
    std::vector<Measurement> measurements;
    for (int launch = 0; launch < launches; ++launch) {
      const double phase = stats::uniform(generator_) < 0.1 ? std::log(1.3) : 0;
      const double of_launch = phase + 0.05 * stats::standard_normal(generator_);
      for (const Case& what : cases) {
        const double own = 0.05 * stats::standard_normal(generator_);
        const Seconds median{seconds(what) * std::exp(of_launch + own)};
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
