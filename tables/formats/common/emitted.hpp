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
  /// What the format can't say, or must not: a line each. They stand in the text as well, where the
  /// format has room for words.
  std::vector<std::string> degraded{};
  /// Whose choices begin at other sizes than the table's at a p that was not measured, by a factor
  /// of at most kProcsError (tuner/formats/common/choices.hpp). The text says so too.
  std::set<Collective> approximate{};
};

/// What a file of a format says, as those read it for whom it is.
struct ReadTable {
  struct Fault {
    int line = 0;  ///< 1-based; 0 where it is the whole file
    std::string reason{};
  };
  std::vector<Fault> faults{};         ///< with any of them nobody should load the file
  std::set<Collective> collectives{};  ///< of which it says anything
  /// What the file says of a problem, as the program that loads it will follow it. Empty when there
  /// are faults.
  std::function<Answer(const Case& problem)> answer{};
};

}  // namespace breakeven::formats
