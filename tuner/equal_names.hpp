// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "kernels/equal.hpp"
#include "tuner/contest.hpp"

namespace breakeven::tuner {

/// Which algorithms of ours do the same as a case: found once for all its sizes.
class EqualNames {
 public:
  /// The algorithms without parameters whose schedules are those of a case, in the order of the
  /// catalogue, its own among them if it has no parameters. None where the case is a library's, or
  /// can't run.
  [[nodiscard]] const std::vector<std::string>& of(const Case& what);

  /// The candidate of a contest that is `what`, or does the same; null when none was measured.
  [[nodiscard]] const Candidate* find(const Contest& contest, Case what);

 private:
  [[nodiscard]] std::vector<std::string> names_of(const Case& what);

  std::map<Case, kernels::EqualSchedules> schedules_{};  ///< by problem, at no size
  std::map<Case, std::vector<std::string>> known_{};
};

/// The other names of what these cases measured: "reduce/binomial at p = 2, 4 on 2 nodes: also
/// circulant".
[[nodiscard]] std::vector<std::string> other_names(std::span<const Case> cases);

}  // namespace breakeven::tuner
