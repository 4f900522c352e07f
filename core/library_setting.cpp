// SPDX-License-Identifier: BSD-3-Clause
#include "core/library_setting.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/error.hpp"

namespace breakeven {

namespace {

constexpr std::string_view kNone = "none";
constexpr std::string_view kBetween = "; ";

std::string joined(const LibrarySettings& settings, std::string_view form) {
  std::vector<std::string> texts;
  for (const LibrarySetting& each : settings) {
    texts.push_back(fmt::format(fmt::runtime(form), each.name, each.value, each.origin));
  }
  return texts.empty() ? std::string{kNone} : fmt::format("{}", fmt::join(texts, kBetween));
}

LibrarySetting parse_setting(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::size_t origin = text.rfind(" (");
  if (equals == std::string_view::npos || origin == std::string_view::npos || origin < equals ||
      !text.ends_with(')')) {
    throw UsageError(fmt::format("'{}' is not NAME=VALUE (ORIGIN)", text));
  }
  return {.name = std::string{text.substr(0, equals)},
          .value = std::string{text.substr(equals + 1, origin - equals - 1)},
          .origin = std::string{text.substr(origin + 2, text.size() - origin - 3)}};
}

}  // namespace

std::string to_text(const LibrarySettings& settings) { return joined(settings, "{}={} ({})"); }

std::string values_text(const LibrarySettings& settings) { return joined(settings, "{}={}"); }

LibrarySettings parse_library_settings(std::string_view text) {
  LibrarySettings settings;
  if (text == kNone) return settings;
  while (!text.empty()) {
    // A value may hold the separator; the parenthesis before it never does.
    const std::size_t end = std::min(text.find(")" + std::string{kBetween}), text.size() - 1) + 1;
    settings.push_back(parse_setting(text.substr(0, end)));
    text.remove_prefix(std::min(end + kBetween.size(), text.size()));
  }
  return settings;
}

std::string difference(const LibrarySettings& now, const LibrarySettings& before) {
  constexpr std::string_view kUnset = "unset";
  std::map<std::string_view, std::pair<std::string_view, std::string_view>> values;
  for (const LibrarySetting& each : now) values[each.name] = {each.value, kUnset};
  for (const LibrarySetting& each : before) {
    values.try_emplace(each.name, kUnset, kUnset).first->second.second = each.value;
  }
  std::vector<std::string> changes;
  for (const auto& [name, value] : values) {
    if (value.first == value.second) continue;
    changes.push_back(fmt::format("{}={}, was {}", name, value.first, value.second));
  }
  return fmt::format("{}", fmt::join(changes, kBetween));
}

}  // namespace breakeven
