// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/mpich/head.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "tables/formats/common/description.hpp"
#include "tables/formats/common/head.hpp"

namespace breakeven::formats::mpich {

namespace {

constexpr std::string_view kTitle = "A table of Breakeven.";

std::string without_end_of_comment(std::string line) {
  for (std::size_t at = line.find("*/"); at != std::string::npos; at = line.find("*/", at)) {
    line.replace(at, 2, "* /");
  }
  return line;
}

}  // namespace

std::vector<std::string> head_lines(const tables::Table& table,
                                    const tables::Provenance& provenance, std::string_view use,
                                    const std::vector<std::string>& degraded) {
  std::vector<std::string> lines{std::string{kTitle}, ""};
  for (const std::string& line : describe(table, provenance)) {
    lines.push_back("  " + without_end_of_comment(line));
  }
  lines.emplace_back();
  for (const std::string_view line : lines_of(use)) lines.emplace_back(line);
  if (!degraded.empty()) {
    lines.emplace_back();
    lines.emplace_back("Limits of this file:");
  }
  for (const std::string& line : degraded) lines.push_back("  " + without_end_of_comment(line));
  return lines;
}

std::optional<ReadTable::Fault> unknown_version(std::string_view text) {
  const std::optional<std::string> version = version_in(text);
  if (!version || series_of(*version)) return std::nullopt;
  return ReadTable::Fault{
      0, fmt::format("it is for MPICH {}, whose names aren't known here; known: {}", *version,
                     kKnownSeries)};
}

Series series_of(const tables::Provenance& provenance) {
  if (const auto series = series_in(provenance.machine.library_version)) return *series;
  throw UsageError(fmt::format("tables are written for MPICH {}, and this one is of '{}'",
                               kKnownSeries, provenance.machine.library_version));
}

}  // namespace breakeven::formats::mpich
