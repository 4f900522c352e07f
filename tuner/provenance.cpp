// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/provenance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace breakeven {

namespace {

std::string data_of(const Table& table) {
  const auto any = [&](bool (*of)(Collective)) {
    return std::ranges::any_of(table.rules,
                               [&](const Rule& rule) { return of(rule.what.collective); });
  };
  std::string text{kDatatypes.of(table.datatype)};
  if (any(reduces)) text += fmt::format(", {}", kOps.of(table.op));
  if (any(rooted)) text += fmt::format(", root {}", table.root.value);
  return text;
}

std::string launches_behind(const Table& table) {
  const auto [fewest, most] = std::ranges::minmax(table.rules, {}, &Rule::launches);
  if (fewest.launches == most.launches) return fmt::format("{}", fewest.launches);
  return fmt::format("{} to {}", fewest.launches, most.launches);
}

/// Safe behind "//": a backslash at the end of a line would take the next one into the comment.
std::string on_one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char each) { return static_cast<unsigned char>(each) < ' '; }, ' ');
  if (text.ends_with('\\')) text += '.';
  return text;
}

}  // namespace

std::vector<std::string> describe(const Table& table, const Provenance& provenance) {
  std::vector<std::string> lines;
  const auto add = [&](std::string_view key, std::string_view value) {
    if (!value.empty()) lines.push_back(on_one_line(fmt::format("{:<10} {}", key, value)));
  };
  add("machine", provenance.machine.name);
  add("library", provenance.machine.library_version);
  add("processor", provenance.machine.cpu);
  add("data", data_of(table));
  add("launches", launches_behind(table));
  add("database", provenance.database);
  add("made", fmt::format("{} by Breakeven {}", provenance.date, provenance.version));
  add("again", provenance.command);
  return lines;
}

}  // namespace breakeven
