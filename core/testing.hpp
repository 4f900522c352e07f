// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <initializer_list>
#include <vector>

#include "core/case.hpp"

namespace breakeven::testing {

/// One measurement per entry of `medians`, in microseconds, in the launches 0, 1, ...
[[nodiscard]] inline std::vector<Measurement> launches(const Case& what,
                                                       const std::vector<double>& medians) {
  std::vector<Measurement> measurements;
  for (const double median : medians) {
    measurements.push_back({.what = what,
                            .launch = static_cast<std::int64_t>(measurements.size()),
                            .repeat = static_cast<int>(measurements.size()),
                            .samples = 10,
                            .median = {median * 1e-6}});
  }
  return measurements;
}

[[nodiscard]] inline std::vector<Measurement> join(
    std::initializer_list<std::vector<Measurement>> parts) {
  std::vector<Measurement> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace breakeven::testing
