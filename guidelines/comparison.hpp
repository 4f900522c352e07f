// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "stats/case_times.hpp"

namespace breakeven::guidelines {

/// A sound expectation on a library's own collective: the left side takes no longer than the right
/// side, which can do its work.
struct Guideline {
  std::string name;  ///< "allreduce_as_reduce+bcast"
  Collective collective = Collective::allreduce;
  std::string formula{};  ///< "allreduce(m) <= reduce(m) + bcast(m)"
  std::string reason{};
  std::string source{};
};

/// Both sides of a guideline in one problem, by the launches that measured both.
struct Comparison {
  const Guideline* guideline = nullptr;
  stats::CaseTimes left{};
  stats::CaseTimes right{};  ///< times `factor`
  int factor = 1;            ///< calls of the right side that do the work of one of the left
};

/// All measurements of a machine, by problem.
class Problems {
 public:
  explicit Problems(std::span<const Measurement> measurements);

  [[nodiscard]] const std::map<Case, std::vector<stats::CaseTimes>>& all() const { return all_; }
  /// Null where it was not measured.
  [[nodiscard]] const stats::CaseTimes* native(const Case& problem) const;

 private:
  std::map<Case, std::vector<stats::CaseTimes>> all_{};
};

/// The same times, with launches numbered from 0 on: sides that never share a launch are paired by
/// these numbers.
[[nodiscard]] stats::CaseTimes numbered(const stats::CaseTimes& times);

/// The launches that measured both; the right side's times multiplied.
[[nodiscard]] Comparison paired(const Guideline& guideline, const stats::CaseTimes& left,
                                const stats::CaseTimes& right, int factor = 1);

/// The collective is as fast as others of the library that do its work: [mock_ups](../mock_ups).
[[nodiscard]] std::vector<Comparison> by_mock_ups(const Problems& problems);
/// The sum of the medians of the collectives that a mock-up is made of, each measured by itself at
/// the size of the mock-up's call; none where one is missing.
[[nodiscard]] std::optional<Seconds> sum_of_parts(const Problems& problems, const Case& mock_up);
/// The default is as fast as each of the library's own algorithms, forced.
[[nodiscard]] std::vector<Comparison> by_own_algorithms(const Problems& problems);
/// Calls that return before they are complete take no longer together with work than the library's
/// own algorithms, forced, and than a blocking call and then the work.
[[nodiscard]] std::vector<Comparison> by_overlap(std::span<const Measurement> measurements);
/// More data takes no less time: against the next larger size.
[[nodiscard]] std::vector<Comparison> by_larger_size(const Problems& problems);
/// Data in parts takes no less time: against calls of the next smaller size.
[[nodiscard]] std::vector<Comparison> by_parts(const Problems& problems);
/// More processes on as many nodes take no less time: against the next larger number.
[[nodiscard]] std::vector<Comparison> by_more_procs(const Problems& problems);

}  // namespace breakeven::guidelines
