// SPDX-License-Identifier: BSD-3-Clause
#include "tables/worth.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace breakeven::tables {

namespace {

/// The line of the process counts that are oversubscribed, or of those that are not.
std::string worth_line(const Table& table, bool oversubscribed) {
  int cells = 0;
  int changed = 0;
  int decided = 0;
  std::vector<SizeGain> gains;
  for (const Rule& rule : table.rules) {
    if (rule.oversubscribed != oversubscribed) continue;
    cells += rule.sizes;
    decided += rule.decided_sizes;
    if (rule.what.variant.is<Native>()) continue;
    changed += rule.sizes;
    gains.insert(gains.end(), rule.gains.begin(), rule.gains.end());
  }
  if (cells == 0) return "";
  const std::string_view where = oversubscribed ? ", with more processes than cores," : "";
  if (gains.empty() && changed > 0) {
    return fmt::format("cells{} without the library's default to compare with: {}; decided: {}",
                       where, cells, decided);
  }
  std::string text =
      fmt::format("cells{} that leave the library's default: {} of {}", where, changed, cells);
  if (!gains.empty()) {
    text += fmt::format(",\n    {} times as fast in the geometric mean, from {}",
                        factor_text(mean_speedup(gains)), range_text(gains));
  }
  return text + fmt::format("; decided: {} of {}", decided, cells);
}

}  // namespace

std::string factor_text(double ratio) {
  return fmt::format("{:.{}f}", ratio, ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0);
}

std::string factor_text(const Speedup& speedup) {
  return fmt::format("{} ({}-{})", factor_text(speedup.ratio), factor_text(speedup.low),
                     factor_text(speedup.high));
}

std::string range_text(std::span<const SizeGain> gains) {
  const auto ratio = [](const SizeGain& each) { return each.speedup.ratio; };
  const auto [least, most] = std::ranges::minmax(gains, {}, ratio);
  const std::string low = factor_text(least.speedup.ratio);
  const std::string high = factor_text(most.speedup.ratio);
  return low == high ? low : fmt::format("{} to {}", low, high);
}

std::vector<std::string> worth_lines(const Table& table) {
  std::vector<std::string> lines;
  for (const bool oversubscribed : {false, true}) {
    std::string line = worth_line(table, oversubscribed);
    if (!line.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace breakeven::tables
