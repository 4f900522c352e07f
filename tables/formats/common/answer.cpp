// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/common/answer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace breakeven::formats {

std::string to_text(const Range& range) {
  if (range.first == range.last) return fmt::format("{}", range.first);
  if (range.last != Range{}.last) return fmt::format("{} to {}", range.first, range.last);
  return range.first == 0 ? "any" : fmt::format("{} and more", range.first);
}

std::string to_text(const std::vector<Range>& ranges) {
  std::vector<Range> runs;
  for (const Range& each : ranges) {
    if (!runs.empty() && runs.back().last + 1 >= each.first) {
      runs.back().last = std::max(runs.back().last, each.last);
    } else {
      runs.push_back(each);
    }
  }
  std::vector<std::string> words;
  for (const Range& each : runs) words.push_back(to_text(each));
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace breakeven::formats
