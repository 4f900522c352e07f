// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/case.hpp"
#include "core/program_time.hpp"
#include "core/synchronisation.hpp"
#include "harness/plan/sweep.hpp"
#include "stats/stopping.hpp"

namespace breakeven::plan {

/// The readers of values from the text of an option or of a key in a sweep file. Enumerations are
/// read by their names. Each reader throws UsageError naming the text and the possible values.
template <typename T>
[[nodiscard]] T read(const std::string& text) {
  static_assert(std::is_enum_v<T>);
  return names(T{}).parse(text);
}
template <>
[[nodiscard]] std::string read(const std::string& text);
template <>
[[nodiscard]] int read(const std::string& text);
template <>
[[nodiscard]] unsigned read(const std::string& text);
template <>
[[nodiscard]] std::uint64_t read(const std::string& text);
template <>
[[nodiscard]] double read(const std::string& text);
template <>
[[nodiscard]] bool read(const std::string& text);
template <>
[[nodiscard]] Seconds read(const std::string& text);
template <>
[[nodiscard]] Rank read(const std::string& text);
template <>
[[nodiscard]] Bytes read(const std::string& text);
template <>
[[nodiscard]] Mapping read(const std::string& text);
/// "2/8": the second of eight.
template <>
[[nodiscard]] Shard read(const std::string& text);
/// "allreduce/2x2/seq/64K=0.18,barrier/2x2/seq=0.02": layouts as parse_shape has them; the message
/// is left out where it is not known.
template <>
[[nodiscard]] ProgramTime read(const std::string& text);
/// "4x2,8x1": see parse_shape.
template <>
[[nodiscard]] std::vector<NodeLayout> read(const std::string& text);
/// Lists have commas, and hold each item once even if it is named twice. Texts are algorithms,
/// whose parameters have commas too: see split_algorithms.
template <>
[[nodiscard]] std::vector<std::string> read(const std::string& text);
template <>
[[nodiscard]] std::vector<Collective> read(const std::string& text);
template <>
[[nodiscard]] std::vector<Counts> read(const std::string& text);
template <>
[[nodiscard]] std::vector<CallForm> read(const std::string& text);
template <>
[[nodiscard]] std::vector<ClockSync> read(const std::string& text);
/// "2,3,4", "2:8" or "2..8" for every number from 2 to 8.
template <>
[[nodiscard]] std::vector<int> read(const std::string& text);
/// "8,1K,1M", "8:1M" for 8, 16, 32, ... up to 1M; in rising order.
template <>
[[nodiscard]] std::vector<Bytes> read(const std::string& text);

/// The text from which `read` makes this value.
[[nodiscard]] std::string written(const std::string& value);
[[nodiscard]] std::string written(double value);
[[nodiscard]] std::string written(bool value);
[[nodiscard]] std::string written(Seconds value);
[[nodiscard]] std::string written(Rank value);
[[nodiscard]] std::string written(Bytes value);
[[nodiscard]] std::string written(const Mapping& value);
[[nodiscard]] std::string written(Shard value);
[[nodiscard]] std::string written(const std::vector<NodeLayout>& layouts);
[[nodiscard]] std::string written(const ProgramTime& time);
/// Doubling sizes as a range, "8:1M".
[[nodiscard]] std::string written(const std::vector<Bytes>& sizes);

template <typename T>
  requires std::is_enum_v<T>
[[nodiscard]] std::string written(T value) {
  return std::string{names(value).of(value)};
}
template <typename T>
  requires std::is_integral_v<T>
[[nodiscard]] std::string written(T value) {
  return std::to_string(value);
}
template <typename Item>
[[nodiscard]] std::string written(const std::vector<Item>& items) {
  std::string text;
  for (const Item& item : items) text += (text.empty() ? "" : ",") + written(item);
  return text;
}

/// "text|json", for a choice between words.
[[nodiscard]] std::string alternatives(const std::vector<std::string_view>& words);

/// The placeholder of a value in help; short choices in full.
template <typename T>
[[nodiscard]] std::string value_name(const T&) {
  if constexpr (std::is_same_v<T, Bytes>) return "BYTES";
  if constexpr (std::is_same_v<T, Seconds>) return "SECONDS";
  if constexpr (std::is_same_v<T, Mapping>) return "MAPPING";
  if constexpr (std::is_same_v<T, Shard>) return "PART";
  if constexpr (std::is_same_v<T, NodeLayout>) return "LAYOUT";
  if constexpr (std::is_arithmetic_v<T>) return "NUMBER";
  if constexpr (std::is_same_v<T, Rank>) return "RANK";
  if constexpr (std::is_enum_v<T>) {
    std::vector<std::string_view> words;
    for (const auto& each : names(T{}).entries) words.push_back(each.name);
    constexpr std::size_t kFew = 7;
    if (words.size() <= kFew) return alternatives(words);
    std::string kind{names(T{}).kind};
    for (char& each : kind) each = static_cast<char>(std::toupper(each));
    return kind;
  }
  return "TEXT";
}
template <typename T>
[[nodiscard]] std::string value_name(const std::vector<T>&) {
  return value_name(T{}) + ",...";
}
template <typename T>
[[nodiscard]] std::string value_name(const std::optional<T>&) {
  return value_name(T{});
}

}  // namespace breakeven::plan
