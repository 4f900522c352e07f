// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <vector>

#include "core/case.hpp"
#include "core/measurement.hpp"
#include "stats/case_times.hpp"

namespace breakeven::plan {

struct RaceRules {
  double confidence = 0.99;     ///< with which nobody is pruned as slower who isn't: of all
                                ///< comparisons of a problem together
  double indifference = 0.025;  ///< candidates that differ by less are as good as each other
  double equality = 0.95;       ///< with which each one left does not differ by more
};

/// Between launches, decides whom the next one shall measure. From kLeastLaunches launches on, a
/// candidate is pruned when it is significantly slower than another of its problem, and a problem
/// is closed, all of its candidates pruned, once one has outrun all others or those left differ by
/// less than matters. The library's own is pruned with its problem only, because every speedup is
/// stated against it; a lone candidate never is.
///
/// Ratios are paired by launch (stats::PairedCases), with Bonferroni's correction.
/// @see [maron1997]
class Race {
 public:
  explicit Race(const RaceRules& rules = {}) : rules_{rules} {}

  void add(const Measurement& measurement);

  /// The candidates of the problem that are pruned for good, as things stand now; once pruned
  /// stays pruned.
  [[nodiscard]] std::vector<Pruned> judge(const Case& problem);

 private:
  struct Problem {
    std::map<Case, stats::CaseTimes> candidates{};
    std::map<Case, Pruned> pruned{};
  };
  void judge(Problem& problem) const;

  RaceRules rules_;
  std::map<Case, Problem> problems_;
};

}  // namespace breakeven::plan
