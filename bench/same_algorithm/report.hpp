// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>
#include <vector>

#include "bench/same_algorithm/compare.hpp"
#include "bench/same_algorithm/library.hpp"
#include "core/case.hpp"

namespace breakeven::bench {

/// Prints what is measured, a line for each point as it comes, on rank 0.
class Report {
 public:
  Report(int procs, int rounds, bool prints);

  /// Those that follow belong to this pair.
  void begin(const Pair& pair) const;
  void point(const Case& ours, const Comparison& comparison);
  void skipped(const Case& ours, std::string_view why) const;
  /// Of each collective and of all: points, geometric mean of the ratios, the largest of them.
  void summary() const;

 private:
  struct Ratio {
    Case what;
    double value;
  };
  void summary(std::string_view name, const std::vector<Ratio>& ratios) const;

  bool prints_;
  std::vector<Ratio> ratios_{};
};

}  // namespace breakeven::bench
