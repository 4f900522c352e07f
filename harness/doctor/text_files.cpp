// SPDX-License-Identifier: BSD-3-Clause
#include "harness/doctor/text_files.hpp"

#include <fstream>

#include "core/units.hpp"

namespace breakeven::doctor {

namespace {

std::string trimmed(const std::string& text) {
  constexpr const char* kBlank = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(kBlank) + 1 - first);
}

}  // namespace

std::optional<std::string> first_line(const std::filesystem::path& file) {
  std::ifstream stream{file};
  std::string line;
  if (!std::getline(stream, line)) return std::nullopt;
  return trimmed(line);
}

std::optional<std::int64_t> whole_number(const std::filesystem::path& file) {
  const std::optional<std::string> line = first_line(file);
  return line ? number_in<std::int64_t>(*line) : std::nullopt;
}

std::map<std::string, std::string> key_values(const std::filesystem::path& file) {
  std::map<std::string, std::string> found;
  std::ifstream stream{file};
  for (std::string line; std::getline(stream, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    found.emplace(trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1)));
  }
  return found;
}

std::optional<std::string> chosen_word(const std::filesystem::path& file) {
  const std::optional<std::string> line = first_line(file);
  if (!line) return std::nullopt;
  const std::size_t open = line->find('[');
  const std::size_t close = line->find(']');
  if (open == std::string::npos || close == std::string::npos || close < open) return std::nullopt;
  return line->substr(open + 1, close - open - 1);
}

}  // namespace breakeven::doctor
