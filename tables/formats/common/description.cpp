// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/common/description.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "core/units.hpp"
#include "tables/formats/common/head.hpp"

namespace breakeven::formats {

namespace {

constexpr std::string_view kBy = " by Breakeven ";  // between the date and the version
constexpr std::string_view kRoot = "root ";
constexpr std::string_view kReproducible = "same bits";
constexpr std::string_view kPredicted = "predicted";
constexpr std::string_view kNotShared = "not shared between ranks of a node, by the library";
constexpr std::string_view kIfTheModelHolds =
    "if the model holds: no number here has its error in it";

std::string data_of(const tables::Table& table) {
  const auto any = [&](bool (*of)(Collective)) {
    return std::ranges::any_of(table.rules,
                               [&](const tables::Rule& rule) { return of(rule.what.collective); });
  };
  std::string text{kDatatypes.of(table.datatype)};
  if (any(reduces)) text += fmt::format(", {}", kOps.of(table.op));
  if (any(rooted)) text += fmt::format(", {}{}", kRoot, table.root.value);
  return text;
}

Rank root_of(std::string_view digits) {
  if (const auto root = number_in<int>(digits)) return {*root};
  throw UsageError(fmt::format("'{}' is no root", digits));
}

/// The opposite of data_of.
void read_data(std::string_view text, Description& read) {
  const auto next_word = [&] {
    const std::string_view word = take_part(text, ',');
    if (text.starts_with(' ')) text.remove_prefix(1);
    return word;
  };
  read.datatype = kDatatypes.parse(next_word());
  while (!text.empty()) {
    const std::string_view word = next_word();
    if (word.starts_with(kRoot)) {
      read.root = root_of(word.substr(kRoot.size()));
    } else {
      read.op = kOps.parse(word);
    }
  }
}

std::string launches_behind(const tables::Table& table) {
  const auto [fewest, most] = std::ranges::minmax(table.rules, {}, &tables::Rule::launches);
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

std::vector<std::string> describe(const tables::Table& table,
                                  const tables::Provenance& provenance) {
  std::vector<std::string> lines;
  const auto add = [&](std::string_view key, std::string_view value) {
    if (!value.empty()) lines.push_back(on_one_line(fmt::format("{:<10} {}", key, value)));
  };
  add("machine", provenance.machine.name);
  if (provenance.machine.kind == MachineKind::model) add(kPredicted, kIfTheModelHolds);
  add("library", provenance.machine.library_version);
  add("processor", provenance.machine.cpu);
  add("settings", to_text(provenance.machine.settings));
  if (!provenance.capabilities.shares_memory) add(kMemory, kNotShared);
  add("data", data_of(table));
  for (const std::string& line : table.lost_layouts) add("layouts", line);
  add("launches", launches_behind(table));
  add("database", provenance.database);
  add("made", fmt::format("{}{}{}", provenance.date, kBy, provenance.version));
  add("again", provenance.command);
  for (const std::string& line : provenance.verified) add("verified", line);
  add(kReproducible, provenance.reproducible);
  if (table.candidates == tables::Candidates::library) {
    add("unsafe", fmt::format("{}", fmt::join(provenance.allowed_unsafe, ",")));
    for (const std::string& line : provenance.skipped) add("skipped", line);
  }
  return lines;
}

Description read_description(std::string_view text) {
  const auto value = [&](std::string_view key) { return head_value(text, key).value_or(""); };
  const auto required = [&](std::string_view key) {
    auto found = head_value(text, key);
    if (!found) throw UsageError(fmt::format("no line '{}' that says where it comes from", key));
    return *std::move(found);
  };
  const std::string made = required("made");
  const std::size_t by = made.find(kBy);
  if (by == std::string::npos) throw UsageError(fmt::format("made '{}' is no date{}", made, kBy));
  Description read{
      .provenance = {
          .database = value("database"),
          .machine = {.name = required("machine"),
                      .kind = value(kPredicted).empty() ? MachineKind::library : MachineKind::model,
                      .library_version = value("library"),
                      .cpu = value("processor"),
                      .settings = parse_library_settings(value("settings"))},
          .capabilities = {.shares_memory = value(kMemory).empty()},
          .date = made.substr(0, by),
          .version = made.substr(by + kBy.size()),
          .command = value("again"),
          .verified = head_values(text, "verified"),
          .reproducible = value(kReproducible)}};
  read_data(required("data"), read);
  return read;
}

}  // namespace breakeven::formats
