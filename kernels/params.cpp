// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/params.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/units.hpp"

namespace breakeven::kernels {

namespace {

bool in_parentheses(std::string_view value) {
  return value.size() >= 2 && value.front() == '(' && value.back() == ')';
}

}  // namespace

std::vector<std::string_view> split_list(std::string_view text) {
  std::vector<std::string_view> pieces;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (text[i] != ',' || depth > 0) continue;
    pieces.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  if (!text.empty()) pieces.push_back(text.substr(begin));
  return pieces;
}

Params Params::parse(std::string_view text) {
  Params params;
  for (const std::string_view piece : split_list(text)) {
    const std::size_t equals = piece.find('=');
    const std::size_t parenthesis = piece.find('(');
    if (equals == std::string_view::npos || parenthesis < equals) {
      if (params.empty()) {
        throw UsageError(fmt::format("parameters '{}' begin without key=", text));
      }
      params.entries_.back().value.append(",").append(piece);
    } else {
      params.entries_.push_back(
          {std::string{piece.substr(0, equals)}, std::string{piece.substr(equals + 1)}});
    }
  }
  std::ranges::sort(params.entries_);
  for (std::size_t i = 0; i < params.entries_.size(); ++i) {
    const Entry& entry = params.entries_[i];
    if (entry.key.empty() || entry.value.empty()) {
      throw UsageError(fmt::format("parameters '{}' hold an empty key or value", text));
    }
    if (i > 0 && params.entries_[i - 1].key == entry.key) {
      throw UsageError(fmt::format("parameters '{}' give {} twice", text, entry.key));
    }
  }
  return params;
}

std::string Params::text() const {
  std::string text;
  for (const auto& [key, value] : entries_) {
    if (!text.empty()) text += ',';
    text.append(key).append("=").append(value);
  }
  return text;
}

std::optional<std::string_view> Params::find(std::string_view key) const {
  const auto found = std::ranges::find(entries_, key, &Entry::key);
  if (found == entries_.end()) return std::nullopt;
  const std::string_view value = found->value;
  return in_parentheses(value) ? value.substr(1, value.size() - 2) : value;
}

std::optional<int> Params::find_number(std::string_view key, int least) const {
  const auto value = find(key);
  if (!value) return std::nullopt;
  return parse_number(*value, key, least);
}

std::optional<std::string> Params::take(std::string_view key) {
  const auto value = find(key);
  if (!value) return std::nullopt;
  std::string taken{*value};
  std::erase_if(entries_, [&](const Entry& entry) { return entry.key == key; });
  return taken;
}

int parse_number(std::string_view text, std::string_view what, int least) {
  if (const auto number = number_in(text, least)) return *number;
  throw UsageError(fmt::format("{} is a whole number from {} on, not '{}'", what, least, text));
}

}  // namespace breakeven::kernels
