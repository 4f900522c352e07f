// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <string>

#include "core/error.hpp"
#include "tables/formats/common/description.hpp"
#include "tables/formats/common/head.hpp"
#include "tables/formats/own/csv.hpp"
#include "tables/formats/own/json.hpp"
#include "tables/formats/own/rule_fields.hpp"

namespace breakeven::formats {

namespace {

/// The cells of a row; one in quotation marks may have commas.
std::vector<std::string> cells_of(std::string_view row) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char each : row) {
    if (each == '"') {
      quoted = !quoted;
    } else if (each == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += each;
    }
  }
  return cells;
}

/// @throws UsageError when the row is no rule
tables::Rule rule_in_row(std::string_view row) { return rule_in_cells(cells_of(row)); }

/// The rest of the line "# KEY: ".
std::string_view value_of(std::string_view text, std::string_view key) {
  const std::string before = fmt::format("# {}: ", key);
  for (const std::string_view line : lines_of(text)) {
    if (line.starts_with(before)) return line.substr(before.size());
  }
  throw UsageError(fmt::format("no line '{}'", before));
}

std::vector<tables::Rule> rules_in(std::string_view text, ReadKept& read) {
  std::vector<tables::Rule> rules;
  int number = 0;
  bool inside = false;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    if (line.starts_with('#')) continue;
    if (!std::exchange(inside, true)) {
      if (line != csv_columns())
        throw UsageError(fmt::format("the columns are not '{}'", csv_columns()));
      continue;
    }
    add_rule(line, number, rule_in_row, rules, read);
  }
  return rules;
}

}  // namespace

ReadKept read_kept_csv(std::string_view text) {
  ReadKept read;
  try {
    read.kept.provenance = read_description(text).provenance;
    const tables::Candidates candidates = tables::kCandidates.parse(value_of(text, "Candidates"));
    std::vector<tables::Rule> rules = rules_in(text, read);
    if (!read.faults.empty()) return read;
    if (value_of(text, "Rules") != std::to_string(rules.size())) {
      throw UsageError(fmt::format("{} rules instead of {}: was the file cut?", rules.size(),
                                   value_of(text, "Rules")));
    }
    read.kept.table = table_of(candidates, std::move(rules));
  } catch (const UsageError& error) {
    read.faults.push_back({0, error.what()});
  }
  return read;
}

ReadTable read_csv(std::string_view text) { return as_read_table(read_kept_csv(text)); }

bool is_csv(std::string_view text) { return text.find(csv_columns()) != std::string_view::npos; }

}  // namespace breakeven::formats
