// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.hpp"
#include "kernels/algorithm.hpp"
#include "kernels/problem.hpp"
#include "sim/machine.hpp"

namespace breakeven::plan {

/// A case's problem with parameters.
/// @throws UsageError as Params::parse does.
[[nodiscard]] kernels::Problem problem_with(const Case& what, std::string_view params);

/// A variant of an algorithm, and its times by models against those of the other variants.
struct RankedVariant {
  std::string params{};
  std::vector<double> times{};  ///< in seconds, of each model and size; infinite: not computed
  std::vector<double> best{};   ///< the least time of any variant, for each model and size
  double nearest = 1;           ///< the least ratio of its time to the best; 1: best somewhere
  double mean = 1;              ///< the geometric mean of these ratios
  bool another = false;         ///< has the same times as a variant before it
};

/// Pipelining models, from no overlap of a rank's messages to much: for libraries, whose
/// parameters are unknown before they are measured.
[[nodiscard]] std::span<const sim::Machine> machines_of_many_kinds();

/// Ranks variants of an algorithm: first those that some model puts first at some size, then by
/// their distance from it; last those that models can't tell from one before, for example other
/// orders of the same stages.
///
/// To be quick at any p, ranking takes at most five of the sizes, and simulates at most 12
/// variants, or the wanted number: of more, the first one and those that the source's formula puts
/// ahead. Where ranks differ and schedules have more than 65,536 steps in all, or a rank has more
/// messages, the source's formula takes the place of the simulation; without a formula times are
/// infinite.
///
/// @param problems  of one collective and p, on which all variants run; counts are taken as equal
/// @param variants  one or more texts for Params::parse
/// @param wanted    number of the first variants that are of interest
/// @param machines  the machine, if it is known; else machines_of_many_kinds()
/// @returns `wanted` variants or more, if they exist
[[nodiscard]] std::vector<RankedVariant> rank(
    const kernels::Algorithm& algorithm, std::span<const std::string> variants,
    std::span<const Case> problems, std::size_t wanted,
    std::span<const sim::Machine> machines = machines_of_many_kinds());

}  // namespace breakeven::plan
