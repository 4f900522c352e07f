// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tuner/decision.hpp"

namespace breakeven::tuner {

/// Decisions of one layout at each p, for the files of libraries, which know no layouts.
struct ByProcs {
  std::vector<Decision> decisions{};
  std::vector<std::string> lost{};  ///< the cost on the layouts that are left out, a line each
};

/// The same decisions, with those of layouts on which mappings are alike under the mapping of the
/// others, if these have one: the files of libraries have a part for each mapping.
[[nodiscard]] std::vector<Decision> of_one_mapping(std::vector<Decision> decisions);

/// Keeps, of the layouts that were measured at one p under one mapping, that whose choices cost the
/// others least: by the geometric mean of the times against those of their own choices. Layouts
/// with more processes than cores are left out where others are not so.
[[nodiscard]] ByProcs by_procs(std::span<const Decision> decisions);

}  // namespace breakeven::tuner
