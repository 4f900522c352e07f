// SPDX-License-Identifier: BSD-3-Clause
#include "core/processor.hpp"

#include <fstream>
#include <sstream>

namespace breakeven {

std::string single_spaced(const std::string& text) {
  std::istringstream words{text};
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

std::optional<std::string> processor_name(const std::filesystem::path& root) {
  std::ifstream cpuinfo{root / "proc/cpuinfo"};
  for (std::string line; std::getline(cpuinfo, line);) {
    const std::size_t colon = line.find(':');
    if (line.starts_with("model name") && colon != std::string::npos) {
      return single_spaced(line.substr(colon + 1));
    }
  }
  return std::nullopt;
}

}  // namespace breakeven
