// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "kernels/algorithm.hpp"

namespace breakeven::kernels::parallel_trees {

/// The parameter of PAT, parallel aggregated trees.
inline constexpr std::array kParams{
    Param{"limit", "greatest number of blocks in a message, 1 or more [no limit]"}};

[[nodiscard]] inline int limit_of(const Problem& op) {
  return op.params.find_number("limit", 1).value_or(op.procs);
}

[[nodiscard]] inline bool can_read(const Problem& op) { return limit_of(op) > 0; }

/// Those that the largest messages without a limit exceed.
[[nodiscard]] inline std::vector<std::string> variants(int procs) {
  std::vector<std::string> texts;
  for (int limit = 1; 2 * limit < procs && limit <= 64; limit *= 4) {
    texts.push_back(fmt::format("limit={}", limit));
  }
  return texts;
}

}  // namespace breakeven::kernels::parallel_trees
