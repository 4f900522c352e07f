// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/common/head.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "core/units.hpp"
#include "libraries/library_algorithm.hpp"

namespace breakeven::formats {

std::string commented(std::string_view mark, std::span<const std::string> lines) {
  std::string text;
  for (const std::string& line : lines) {
    text.append(mark);
    if (!line.empty()) text.append(" ").append(line);
    text += '\n';
  }
  return text;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) lines.push_back(take_part(text, '\n'));
  return lines;
}

bool lists(std::string_view words, char separator, std::string_view word) {
  while (!words.empty()) {
    if (take_part(words, separator) == word) return true;
  }
  return false;
}

std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> found;
  int line = 0;
  for (const std::string_view each : lines_of(text)) {
    ++line;
    std::istringstream words{std::string{each.substr(0, each.find('#'))}};
    for (std::string word; words >> word;) found.push_back({word, line});
  }
  return found;
}

int line_at(std::string_view text, std::size_t byte) {
  return 1 + static_cast<int>(std::ranges::count(text.substr(0, byte), '\n'));
}

std::optional<std::string> head_value(std::string_view text, std::string_view key) {
  std::vector<std::string> values = head_values(text, key);
  return values.empty() ? std::nullopt : std::optional{std::move(values.front())};
}

std::vector<std::string> head_values(std::string_view text, std::string_view key) {
  const std::string before = fmt::format("{:<10} ", key);
  std::vector<std::string> values;
  for (std::string_view line : lines_of(text)) {
    const std::size_t at = line.find_first_not_of(" */#\"");
    // Where other words precede it, it is no key.
    if (at == std::string_view::npos || !line.substr(at).starts_with(before)) continue;
    // A string in a file of JSON.
    if (at > 0 && line[at - 1] == '"') line = line.substr(0, line.rfind('"'));
    values.emplace_back(line.substr(std::min(line.size(), at + before.size())));
  }
  return values;
}

std::optional<std::string> unsafe_rule(std::string_view text, const Case& choice) {
  const auto harms = libraries::unguarded(choice);
  if (harms.empty()) return std::nullopt;
  const std::string allowed = head_value(text, "unsafe").value_or("");
  if (lists(allowed, ',', libraries::algorithm_name(choice))) return std::nullopt;
  return fmt::format("{} is not for every program that MPI permits: {}", algorithm_text(choice),
                     libraries::harm_of(harms));
}

std::string json_error_text(const std::exception& error) {
  std::string_view words = error.what();
  if (words.starts_with("[json.exception")) words.remove_prefix(words.find("] ") + 2);
  return std::string{words};
}

std::string fault_text(std::string_view file, const ReadTable::Fault& fault) {
  const std::string line = fault.line > 0 ? fmt::format(":{}", fault.line) : "";
  return fmt::format("{}{}: {}", file, line, fault.reason);
}

}  // namespace breakeven::formats
