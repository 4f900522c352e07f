// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/formats/common/answer.hpp"

#include <fmt/format.h>

namespace breakeven::formats {

std::string to_text(const Range& range) {
  if (range.first == range.last) return fmt::format("{}", range.first);
  if (range.last != Range{}.last) return fmt::format("{} to {}", range.first, range.last);
  return range.first == 0 ? "any" : fmt::format("{} and more", range.first);
}

}  // namespace breakeven::formats
