// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "tables/formats/common/answer.hpp"

namespace breakeven::formats {

/// A table in the words of a format.
struct Emitted {
  std::string text{};
  /// Limits of the format, and choices that it must not make: a line each, which stands in the text
  /// as well, where the format has room for words.
  std::vector<std::string> degraded{};
  /// Collectives whose choices begin at other sizes than the table's at a p that was not measured,
  /// by a factor of at most kProcsError (choices.hpp). The text says so too.
  std::set<Collective> approximate{};
};

/// A file of a format, as its readers understand it.
struct ReadTable {
  struct Fault {
    int line = 0;  ///< 1-based; 0 where it is the whole file
    std::string reason{};
  };
  /// Parts that the library refuses, ignores or stumbles over: with any of them nobody should load
  /// the file.
  std::vector<Fault> faults{};
  /// Parts that the library reads, and whose effect may surprise.
  std::vector<Fault> advice{};
  std::set<Collective> collectives{};  ///< that it has choices for
  /// The file's choice for a problem, as the program that loads it will follow it. Empty when there
  /// are faults.
  std::function<Answer(const Case& problem)> answer{};
};

}  // namespace breakeven::formats
