// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace breakeven::doctor::checks {

/// "0.13 %": a part of a whole, with two digits that count.
[[nodiscard]] inline std::string percent(double part) {
  return part < 0.1 ? fmt::format("{:.2g} %", 100 * part) : fmt::format("{:.0f} %", 100 * part);
}

/// "23.5 GiB", "64 MiB"; unlike to_text(Bytes) not exact, but short.
[[nodiscard]] inline std::string about(std::int64_t bytes) {
  constexpr double kMebi = 1024.0 * 1024;
  constexpr double kGibi = 1024 * kMebi;
  const auto size = static_cast<double>(bytes);
  return size < kGibi ? fmt::format("{:.3g} MiB", size / kMebi)
                      : fmt::format("{:.3g} GiB", size / kGibi);
}

/// "1 rank", "3 ranks".
[[nodiscard]] inline std::string count_of(std::int64_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

}  // namespace breakeven::doctor::checks
