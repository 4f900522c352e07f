// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/own/csv.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tables/formats/common/description.hpp"
#include "tables/formats/common/head.hpp"
#include "tables/formats/own/rule_fields.hpp"

namespace breakeven::formats {

namespace {

std::string quoted(const std::string& text) {
  return text.find(',') == std::string::npos ? text : '"' + text + '"';
}

std::string row_of(const tables::Rule& rule) {
  std::vector<std::string> cells;
  for (const Json& value : rule_json(rule)) {
    cells.push_back(value.is_string() ? quoted(value) : value.is_null() ? "" : value.dump());
  }
  return fmt::format("{}\n", fmt::join(cells, ","));
}

std::string csv_rows(const tables::Table& table) {
  std::string text =
      fmt::format("# Candidates: {}\n# Rules: {}\n{}\n", tables::kCandidates.of(table.candidates),
                  table.rules.size(), csv_columns());
  for (const tables::Rule& rule : table.rules) text += row_of(rule);
  return text;
}

}  // namespace

std::string csv_columns() { return fmt::format("{}", fmt::join(rule_columns(), ",")); }

Emitted csv(const tables::Table& table, const tables::Provenance& provenance) {
  return {.text = "# A table of Breakeven, a rule in each row.\n#\n" +
                  commented("#  ", describe(table, provenance)) +
                  "#\n# For spreadsheets and data frames, which skip the lines with '#': no "
                  "program applies it, so there is\n# nothing to undo.\n" +
                  csv_rows(table)};
}

}  // namespace breakeven::formats
