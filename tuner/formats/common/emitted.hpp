// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/case.hpp"

namespace breakeven::formats {

/// A table in the words of a format.
struct Emitted {
  std::string text{};
  /// What the format can't say, or must not: a line each. They stand in the text as well, where the
  /// format has room for words.
  std::vector<std::string> degraded{};
};

/// What a file of a format says, as those read it for whom it is.
struct ReadTable {
  struct Fault {
    int line = 0;  ///< 1-based; 0 where it is the whole file
    std::string reason{};
  };
  std::vector<Fault> faults{};  ///< with any of them nobody should load the file
  /// What the file says of a problem: variant_text, "openmpi:ring:segment_bytes=1024", or native
  /// where it leaves the problem to the library. Empty when there are faults, and for forms whose
  /// library can't be asked what it has read.
  std::function<std::string(const Case& problem)> answer{};
};

}  // namespace breakeven::formats
