// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "kernels/algorithm.hpp"

namespace breakeven::kernels::bruck_radix {

/// The radix r of Bruck's algorithms: in round k blocks travel over distances d r^k, 0 < d < r.
inline constexpr std::array kParams{
    Param{"radix", "base of the numbers whose digits are the rounds, 2 or more [2]"}};

[[nodiscard]] inline int radix_of(const Problem& op) {
  return op.params.find_number("radix", 2).value_or(2);
}

/// The rounds and messages of both, without the data that these carry.
[[nodiscard]] inline Formula formula(const Problem& op) {
  const int radix = radix_of(op);
  double rounds = 0;
  double messages = 0;
  for (std::int64_t place = 1; place < op.procs; place *= radix) {
    ++rounds;
    messages += static_cast<double>(std::min<std::int64_t>(radix - 1, (op.procs - 1) / place));
  }
  return {.rounds = rounds, .messages = messages};
}

[[nodiscard]] inline bool can_read(const Problem& op) { return radix_of(op) > 1; }

/// Those below p, the root of p among them: greater ones send everything at once.
[[nodiscard]] inline std::vector<std::string> variants(int procs) {
  std::set<int> worth;
  for (const int radix : {4, 8, 16, static_cast<int>(std::lround(std::sqrt(procs)))}) {
    if (radix > 2 && radix < procs) worth.insert(radix);
  }
  std::vector<std::string> texts;
  for (const int radix : worth) texts.push_back(fmt::format("radix={}", radix));
  return texts;
}

}  // namespace breakeven::kernels::bruck_radix
