// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/emit/csv.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/error.hpp"
#include "tuner/emit/head.hpp"
#include "tuner/rule_fields.hpp"

namespace breakeven {

namespace {

using Fault = ReadTable::Fault;

/// How many follow, so that a file that was cut between two of them is found out.
constexpr std::string_view kRules = "# Rules: ";
constexpr std::string_view kCandidatesLine = "# Candidates: ";

std::string quoted(const std::string& text) {
  return text.find(',') == std::string::npos ? text : '"' + text + '"';
}

std::string row_of(const Rule& rule) {
  std::vector<std::string> cells;
  for (const RuleField& field : rule_fields()) cells.push_back(quoted(field.write(rule)));
  return fmt::format("{}\n", fmt::join(cells, ","));
}

std::string columns() {
  std::vector<std::string_view> names;
  for (const RuleField& field : rule_fields()) names.push_back(field.name);
  return fmt::format("{}\n", fmt::join(names, ","));
}

std::string body_of(const Table& table) {
  std::string text =
      fmt::format("{}{}\n{}{}\n{}", kCandidatesLine, kCandidates.of(table.candidates), kRules,
                  table.rules.size(), columns());
  for (const Rule& rule : table.rules) text += row_of(rule);
  return text;
}

/// Commas within quotes part nothing.
std::vector<std::string> cells_of(std::string_view row) {
  std::vector<std::string> cells(1);
  bool within = false;
  for (const char each : row) {
    if (each == '"') {
      within = !within;
    } else if (each == ',' && !within) {
      cells.emplace_back();
    } else {
      cells.back() += each;
    }
  }
  return cells;
}

Rule rule_of(std::string_view row) {
  const std::vector<std::string> cells = cells_of(row);
  const auto fields = rule_fields();
  if (cells.size() != fields.size()) {
    throw UsageError(fmt::format("{} cells where there are {} columns: was the file cut?",
                                 cells.size(), fields.size()));
  }
  Rule rule;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    try {
      fields[i].read(rule, cells[i]);
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("{}: {}", fields[i].name, error.what()));
    }
  }
  return rule;
}

std::vector<Rule> rules_of(std::string_view body, int line, std::vector<Fault>& faults) {
  std::vector<Rule> rules;
  bool below_columns = false;
  for (const std::string_view row : lines_of(body)) {
    const int here = line++;
    if (row.starts_with('#')) continue;
    if (!std::exchange(below_columns, true)) continue;  // they are compared with the rest
    try {
      Rule rule = rule_of(row);
      const Rule* before = rules.empty() ? nullptr : &rules.back();
      if (auto fault = rule_fault(before, rule)) faults.push_back({here, *std::move(fault)});
      rules.push_back(std::move(rule));
    } catch (const UsageError& error) {
      faults.push_back({here, error.what()});
    }
  }
  return rules;
}

Candidates candidates_of(std::string_view body) {
  const std::string_view line = lines_of(body).front();
  return kCandidates.parse(line.substr(kCandidatesLine.size()));
}

}  // namespace

Emitted csv(const Table& table, const Provenance& provenance) {
  return {.text = "# A table of Breakeven, a rule in each row.\n#\n" +
                  commented("#  ", describe(table, provenance)) +
                  "#\n# For spreadsheets and data frames, which skip the lines with '#': no "
                  "program applies it, so there is\n# nothing to undo.\n" +
                  body_of(table)};
}

ReadTable read_csv(std::string_view text) {
  ReadTable read;
  const std::size_t begin = text.find(kCandidatesLine);
  if (begin == std::string_view::npos) {
    read.faults.push_back(
        {0, fmt::format("no line '{}...': cut, or not written by Breakeven", kCandidatesLine)});
    return read;
  }
  const std::string_view body = text.substr(begin);
  const int first_line = line_at(text, begin);
  std::vector<Rule> rules = rules_of(body, first_line, read.faults);
  if (!read.faults.empty()) return read;
  Table table;
  try {
    table = table_of(candidates_of(body), std::move(rules));
  } catch (const UsageError& error) {
    read.faults.push_back({first_line, error.what()});
    return read;
  }
  if (auto fault = first_difference(body, body_of(table), first_line)) {
    read.faults.push_back(*std::move(fault));
    return read;
  }
  read.answer = answer_of(std::move(table));
  return read;
}

}  // namespace breakeven
