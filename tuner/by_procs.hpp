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

/// Keeps, of the layouts that were measured at one p under one mapping, that whose choices cost the
/// others least: by the geometric mean of the times against those of their own choices.
[[nodiscard]] ByProcs by_procs(std::span<const Decision> decisions);

}  // namespace breakeven::tuner
