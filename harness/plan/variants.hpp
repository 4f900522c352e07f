// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.hpp"
#include "harness/plan/ranking.hpp"
#include "kernels/algorithm.hpp"

namespace breakeven::plan {

/// The variants that a user's text for the parameters of an algorithm names at a p:
///
///     stages=a4,a2            itself
///     stages=*                every value that the algorithm lists there of this parameter
///     stages=factored         every one of a set of them
///     best=8                  the first eight of all that it lists, and none, as models rank them
///     stages=factored,best=4  the first four of the set
class AskedVariants {
 public:
  /// @param where  a problem of the collective
  /// @throws UsageError when the text can't be read, names a parameter that the algorithm does not
  ///         take, sets of values of two parameters, or fewer than one variant.
  AskedVariants(const kernels::Algorithm& algorithm, const Case& where, std::string_view text);

  /// Those variants that run there.
  [[nodiscard]] std::span<const std::string> all() const { return all_; }
  /// "any p": the condition under which it runs.
  [[nodiscard]] std::string requirement() const;
  /// The number that aren't measured: those beyond the requested best ones, else beyond 64.
  [[nodiscard]] std::size_t left_out() const;
  /// The others; where some are left out, the first in the models' ranking on these problems.
  [[nodiscard]] std::vector<std::string> measured(
      std::span<const Case> problems,
      std::span<const sim::Machine> machines = machines_of_many_kinds()) const;

 private:
  const kernels::Algorithm& algorithm_;
  bool several_ = false;
  std::size_t most_;
  std::vector<std::string> all_{};
};

/// The parameters with which a sweep tries an algorithm unasked, in addition to none: at most three
/// variants that a model puts first at some size, at least 2.5 % ahead of none; and each of these,
/// and none, with the ranks reordered where that sends less from node to node.
/// @param problems  of one collective and p, on which the algorithm runs without parameters
/// @param machines  as of rank()
[[nodiscard]] std::vector<std::string> worth_trying(
    const kernels::Algorithm& algorithm, std::span<const Case> problems, bool reorder_ranks,
    std::span<const sim::Machine> machines = machines_of_many_kinds());

}  // namespace breakeven::plan
