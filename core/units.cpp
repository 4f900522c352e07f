// SPDX-License-Identifier: BSD-3-Clause
#include "core/units.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/error.hpp"

namespace breakeven {

Bytes parse_bytes(std::string_view text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, status] = std::from_chars(text.data(), end, value);
  const std::string_view unit(rest, end);
  constexpr std::string_view kUnits = "KMG";
  const auto power = unit.empty() ? 0 : kUnits.find(unit.front()) + 1;
  const bool known = unit.empty() || (unit.size() == 1 && power > 0);
  if (status != std::errc{} || !known || value < 1 ||
      value > (std::numeric_limits<std::int64_t>::max() >> (10 * power))) {
    throw UsageError(
        fmt::format("'{}' is not a message size; possible: a positive number, then K, M or G for "
                    "powers of 1024",
                    text));
  }
  return {value << (10 * power)};
}

std::string to_text(Bytes bytes) {
  constexpr std::array kUnits{"B", "KiB", "MiB", "GiB"};
  std::size_t unit = 0;
  std::int64_t value = bytes.value;
  while (unit + 1 < kUnits.size() && value >= 1024 && value % 1024 == 0) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{} {}", value, kUnits.at(unit));
}

std::string to_text(Seconds seconds) {
  struct Unit {
    double scale;
    const char* name;
  };
  constexpr std::array kUnits{Unit{1e9, "ns"}, Unit{1e6, "us"}, Unit{1e3, "ms"}};
  for (const auto& [scale, name] : kUnits) {
    // 999.5 would print as 1000 of this unit, so it belongs to the next.
    if (std::abs(seconds.value) * scale < 999.5) {
      return fmt::format("{:.3g} {}", seconds.value * scale, name);
    }
  }
  return fmt::format("{:.3g} s", seconds.value);
}

}  // namespace breakeven
