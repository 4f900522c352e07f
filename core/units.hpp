// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace breakeven {

/// A process of a communicator, 0 .. procs-1. Arithmetic on ranks is modulo the communicator and
/// therefore belongs to the problem, not here.
struct Rank {
  int value = 0;
  friend auto operator<=>(const Rank&, const Rank&) = default;
};

/// A message or buffer size. Bytes, never elements: element counts are plain integers.
struct Bytes {
  std::int64_t value = 0;
  friend auto operator<=>(const Bytes&, const Bytes&) = default;
  friend constexpr Bytes operator*(std::int64_t n, Bytes b) { return {n * b.value}; }
};

/// A duration. Seconds in double precision everywhere; other units only where text is printed.
struct Seconds {
  double value = 0;
  friend auto operator<=>(const Seconds&, const Seconds&) = default;
  friend constexpr Seconds operator+(Seconds a, Seconds b) { return {a.value + b.value}; }
};

/// The number that the whole text is; nothing where the text is no number, or the number is beyond
/// its type, infinite, or less than `least`.
template <typename Number>
[[nodiscard]] std::optional<Number> number_in(
    std::string_view text, Number least = std::numeric_limits<Number>::lowest()) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(value)) return std::nullopt;
  }
  if (value < least) return std::nullopt;
  return value;
}

/// The text up to the separator, taken off the rest together with it.
[[nodiscard]] constexpr std::string_view take_part(std::string_view& rest, char separator) {
  const std::size_t end = std::min(rest.find(separator), rest.size());
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return part;
}

/// "8", "64K", "1M", "2G": powers of 1024.
/// @throws UsageError naming `text` when it is not a positive size.
[[nodiscard]] Bytes parse_bytes(std::string_view text);

/// "90s", "30min", "2h", "1h30min", "1d": one number with its unit or several.
/// @throws UsageError naming `text` when it is not a positive time.
[[nodiscard]] Seconds parse_duration(std::string_view text);

/// "8 B", "64 KiB", "1 MiB"; sizes between the units stay in bytes, so the text is always exact.
[[nodiscard]] std::string to_text(Bytes bytes);

/// "1.23 us", "70.1 ms": three significant digits.
[[nodiscard]] std::string to_text(Seconds seconds);

/// "1 h 02 min", "3 min 20 s", "12 s": for waiting times; parts of a second are left out.
[[nodiscard]] std::string rough_text(Seconds wait);

}  // namespace breakeven
