// SPDX-License-Identifier: BSD-3-Clause
#include "core/units.hpp"

#include <fmt/format.h>

#include <algorithm>
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

Seconds parse_duration(std::string_view text) {
  struct Unit {
    std::string_view name;
    double seconds;
  };
  constexpr std::array kUnits{Unit{"d", 86400}, Unit{"h", 3600}, Unit{"min", 60}, Unit{"s", 1}};
  double sum = 0;
  std::string_view left = text;
  bool known = !left.empty();
  while (known && !left.empty()) {
    double value = 0;
    const auto [rest, status] =
        std::from_chars(left.data(), left.data() + left.size(), value, std::chars_format::fixed);
    left.remove_prefix(static_cast<std::size_t>(rest - left.data()));
    const auto unit =
        std::ranges::find_if(kUnits, [&](const Unit& each) { return left.starts_with(each.name); });
    known = status == std::errc{} && unit != kUnits.end() && value >= 0;
    if (!known) break;
    left.remove_prefix(unit->name.size());
    sum += value * unit->seconds;
  }
  if (!known || !(sum > 0) || !std::isfinite(sum)) {
    throw UsageError(
        fmt::format("'{}' is not a time; possible: 90s, 30min, 2h, 1d, 1h30min", text));
  }
  return {sum};
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

std::string rough_text(Seconds wait) {
  const auto s = static_cast<std::int64_t>(wait.value);
  if (s >= 3600) return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
  if (s >= 60) return fmt::format("{} min {:02} s", s / 60, s % 60);
  return fmt::format("{} s", s);
}

}  // namespace breakeven
