// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "core/variant.hpp"

namespace breakeven::formats {

/// A file's choice for a call.
struct Answer {
  Variant variant = Native{};        ///< native where the call is left to the library
  int number = 0;                    ///< of the algorithm in the file; 0: the file names it
  int line = 0;                      ///< that says so; 0: none does
  std::string rule{};                ///< for which calls that line holds, or why there is none
  std::vector<std::string> notes{};  ///< other facts for an engineer, a line each
};

/// The numbers for which a rule holds; inclusive.
struct Range {
  std::int64_t first = 0;
  std::int64_t last = std::numeric_limits<std::int64_t>::max();
};

/// "8", "5 to 8", "9 and more", "any"
[[nodiscard]] std::string to_text(const Range& range);
/// "2 to 4, 8", of ascending ones.
[[nodiscard]] std::string to_text(const std::vector<Range>& ranges);

}  // namespace breakeven::formats
