// SPDX-License-Identifier: BSD-3-Clause
#include "harness/plan/setting_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>

#include "core/error.hpp"
#include "core/units.hpp"
#include "harness/plan/algorithm_text.hpp"

namespace breakeven::plan {

namespace {

template <typename Number>
Number parse_number(const std::string& text) {
  if (const auto value = number_in<Number>(text)) return *value;
  constexpr bool kWhole = std::is_integral_v<Number>;
  const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
  throw UsageError(digits && !text.empty()
                       ? fmt::format("'{}' is too large", text)
                       : fmt::format("'{}' is not a {}number", text, kWhole ? "whole " : ""));
}

/// The pieces between separators: one of an empty text.
std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  const auto count = std::ranges::count(text, separator);
  for (auto part = 0 * count; part <= count; ++part) parts.emplace_back(take_part(text, separator));
  return parts;
}

template <typename Item>
void append_new(std::vector<Item>& items, const Item& item) {
  if (std::ranges::find(items, item) == items.end()) items.push_back(item);
}

template <typename Enum>
std::vector<Enum> parse_list(const std::string& text) {
  std::vector<Enum> items;
  for (const std::string& name : split(text, ',')) append_new(items, read<Enum>(name));
  return items;
}

struct Range {
  std::string first;
  std::string last;
};

/// "FIRST:LAST", "FIRST..LAST", or one text that is both.
/// @param steps  which values lie between, and a list of others
Range parse_range(const std::string& text, std::string_view steps) {
  const std::size_t dots = text.find("..");
  if (dots != std::string::npos) return {text.substr(0, dots), text.substr(dots + 2)};
  const std::vector<std::string> ends = split(text, ':');
  if (ends.size() > 2) {
    throw UsageError(fmt::format("'{}' is not FIRST:LAST, which is {}", text, steps));
  }
  if (const std::size_t dash = text.find('-', 1); dash != std::string::npos && ends.size() == 1) {
    const std::string meant = fmt::format("{}:{}", text.substr(0, dash), text.substr(dash + 1));
    throw UsageError(fmt::format("'{}' is not FIRST:LAST; did you mean '{}'?", text, meant));
  }
  return {ends.front(), ends.back()};
}

}  // namespace

template <>
std::string read(const std::string& text) {
  return text;
}
template <>
int read(const std::string& text) {
  return parse_number<int>(text);
}
template <>
unsigned read(const std::string& text) {
  return parse_number<unsigned>(text);
}
template <>
std::uint64_t read(const std::string& text) {
  return parse_number<std::uint64_t>(text);
}
template <>
double read(const std::string& text) {
  return parse_number<double>(text);
}
template <>
bool read(const std::string& text) {
  if (text == "true" || text == "false") return text == "true";
  throw UsageError(fmt::format("'{}' is neither true nor false", text));
}
template <>
Seconds read(const std::string& text) {
  return {parse_number<double>(text)};
}
template <>
Rank read(const std::string& text) {
  return {parse_number<int>(text)};
}
template <>
Bytes read(const std::string& text) {
  return parse_bytes(text);
}
template <>
Mapping read(const std::string& text) {
  return Mapping::parse(text);
}
template <>
Shard read(const std::string& text) {
  const std::vector<std::string> ends = split(text, '/');
  if (ends.size() != 2) throw UsageError(fmt::format("'{}' is not NUMBER/PARTS, as 2/8", text));
  return {.number = parse_number<int>(ends[0]), .of = parse_number<int>(ends[1])};
}

template <>
ProgramTime read(const std::string& text) {
  ProgramTime time;
  if (text.empty()) return time;
  for (const std::string& part : split(text, ',')) {
    const std::vector<std::string> sides = split(part, '=');
    const std::vector<std::string> words = split(sides.front(), '/');
    if (sides.size() != 2 || words.size() < 3 || words.size() > 4) {
      throw UsageError(
          fmt::format("'{}' is not COLLECTIVE/LAYOUT/MAPPING/BYTES=SECONDS or, of calls whose size "
                      "is not known, COLLECTIVE/LAYOUT/MAPPING=SECONDS",
                      part));
    }
    const Bytes message = words.size() == 4 ? parse_bytes(words[3]) : Bytes{};
    const auto seconds = parse_number<double>(sides[1]);
    if (!std::has_single_bit(static_cast<std::uint64_t>(message.value)) && message != Bytes{}) {
      throw UsageError(fmt::format("'{}' is not a power of two", words[3]));
    }
    if (!(seconds > 0)) throw UsageError(fmt::format("'{}' is no time", part));
    const std::optional<Case> call = find_call(words[0]);
    time[{call ? call->collective : kCollectives.parse(words[0]),
          mapped(parse_shape(words[1]), Mapping::parse(words[2])), message,
          call ? call->form : CallForm::blocking}]
        .value += seconds;
  }
  return time;
}

template <>
std::vector<NodeLayout> read(const std::string& text) {
  std::vector<NodeLayout> layouts;
  if (text.empty()) return layouts;
  for (const std::string& part : split(text, ',')) {
    NodeLayout layout = parse_shape(part);
    if (std::ranges::find(layouts, layout) == layouts.end()) layouts.push_back(std::move(layout));
  }
  return layouts;
}
template <>
std::vector<std::string> read(const std::string& text) {
  std::vector<std::string> names;
  if (text.empty()) return names;
  for (const std::string& name : split_algorithms(text)) append_new(names, name);
  return names;
}

template <>
std::vector<Collective> read(const std::string& text) {
  if (text != "all") return parse_list<Collective>(text);
  std::vector<Collective> all;
  for (const auto& each : kCollectives.entries) all.push_back(each.value);
  return all;
}
template <>
std::vector<Counts> read(const std::string& text) {
  return parse_list<Counts>(text);
}
template <>
std::vector<CallForm> read(const std::string& text) {
  return parse_list<CallForm>(text);
}
template <>
std::vector<ClockSync> read(const std::string& text) {
  return parse_list<ClockSync>(text);
}

template <>
std::vector<int> read(const std::string& text) {
  constexpr int kMost = 1 << 20;
  constexpr std::size_t kMostCounts = 1024;
  std::vector<int> procs;
  for (const std::string& part : split(text, ',')) {
    const Range range = parse_range(part, "each count between; a list has others: 2,4,8");
    const int first = parse_number<int>(range.first);
    const int last = parse_number<int>(range.last);
    if (first < 1 || first > last || last > kMost) {
      throw UsageError(fmt::format(
          "'{}' is not a process count; possible: 1 to {}, FIRST:LAST, lists with commas", part,
          kMost));
    }
    for (int count = first; count <= last && procs.size() <= kMostCounts; ++count) {
      append_new(procs, count);
    }
  }
  if (procs.size() > kMostCounts) {
    throw UsageError(fmt::format("'{}' is more than {} process counts", text, kMostCounts));
  }
  return procs;
}

template <>
std::vector<Bytes> read(const std::string& text) {
  std::vector<Bytes> messages;
  for (const std::string& part : split(text, ',')) {
    const Range range =
        parse_range(part, "FIRST, twice it, and so on; a list has others: 8,32,128");
    const Bytes last = parse_bytes(range.last);
    Bytes size = parse_bytes(range.first);
    if (last < size) throw UsageError(fmt::format("'{}' is not SMALLEST:LARGEST", part));
    append_new(messages, size);
    for (; size.value <= last.value / 2; append_new(messages, size)) size = 2 * size;
  }
  std::ranges::sort(messages);
  return messages;
}

std::string alternatives(const std::vector<std::string_view>& words) {
  return fmt::format("{}", fmt::join(words, "|"));
}

std::string written(const std::string& value) { return value; }
std::string written(bool value) { return fmt::format("{}", value); }
std::string written(double value) { return fmt::format("{}", value); }
std::string written(Seconds value) { return fmt::format("{}", value.value); }
std::string written(Rank value) { return fmt::format("{}", value.value); }
std::string written(const Mapping& value) { return to_text(value); }
std::string written(Shard value) { return fmt::format("{}/{}", value.number, value.of); }
std::string written(Bytes value) {
  std::size_t power = 0;
  while (power < 3 && value.value % 1024 == 0) {
    value.value /= 1024;
    ++power;
  }
  constexpr std::array kUnits{"", "K", "M", "G"};
  return fmt::format("{}{}", value.value, kUnits.at(power));
}
std::string written(const std::vector<NodeLayout>& layouts) {
  std::string text;
  for (const NodeLayout& each : layouts) text += (text.empty() ? "" : ",") + shape_text(each);
  return text;
}
std::string written(const ProgramTime& time) {
  std::string text;
  for (const auto& [called, seconds] : time) {
    text += fmt::format(
        "{}{}/{}/{}{}={}", text.empty() ? "" : ",", call_name(called.collective, called.form),
        shape_text(called.layout), to_text(called.layout.mapping),
        called.message == Bytes{} ? "" : '/' + written(called.message), seconds.value);
  }
  return text;
}
std::string written(const std::vector<Bytes>& sizes) {
  std::string text;
  for (std::size_t first = 0; first < sizes.size();) {
    std::size_t last = first;
    while (last + 1 < sizes.size() && sizes[last + 1] == 2 * sizes[last]) ++last;
    text += (text.empty() ? "" : ",") + written(sizes[first]);
    if (last > first) text += ":" + written(sizes[last]);
    first = last + 1;
  }
  return text;
}

}  // namespace breakeven::plan
