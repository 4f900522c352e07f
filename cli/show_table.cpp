// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "cli/show.hpp"
#include "core/json.hpp"

namespace breakeven::cli {

namespace {

bool is_word(const std::string& cell) {
  return !cell.empty() && std::isalpha(static_cast<unsigned char>(cell.front())) != 0;
}

std::string to_line(const Cells& cells, const std::vector<std::size_t>& widths,
                    const std::vector<bool>& words) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line += words[i] ? fmt::format("  {:<{}}", cells[i], widths[i])
                     : fmt::format("  {:>{}}", cells[i], widths[i]);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

}  // namespace

std::string to_table(const Cells& columns, const std::vector<Cells>& rows) {
  std::vector<std::size_t> widths;
  std::vector<bool> words;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    widths.push_back(columns[i].size());
    for (const Cells& row : rows) widths[i] = std::max(widths[i], row[i].size());
    words.push_back(std::ranges::any_of(rows, [&](const Cells& row) { return is_word(row[i]); }));
  }
  std::string text = to_line(columns, widths, words);
  for (const Cells& row : rows) text += to_line(row, widths, words);
  return text;
}

std::string to_csv(const Cells& cells) {
  std::string line;
  for (const std::string& cell : cells) {
    if (!line.empty() || &cell != &cells.front()) line += ',';
    if (cell.find_first_of(",\"\r\n") == std::string::npos) {
      line += cell;
      continue;
    }
    line += '"';
    for (const char each : cell) line += each == '"' ? "\"\"" : std::string(1, each);
    line += '"';
  }
  return line + '\n';
}

Cells csv_columns_of_case() {
  Cells names;
  for_each_field(fields(std::type_identity<Case>{}),
                 [&](const auto& field) { names.emplace_back(field.name); });
  return names;
}

Cells csv_cells(const Case& what) {
  Cells cells;
  const Json fields_of_case = json_of(what);
  for (const auto& [name, value] : fields_of_case.items()) {
    cells.push_back(value.is_string() ? value.get<std::string>() : value.dump());
  }
  return cells;
}

}  // namespace breakeven::cli
