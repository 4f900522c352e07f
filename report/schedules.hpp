// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "core/case.hpp"

namespace breakeven::report {

/// The schedules that the page can play, each once.
class Schedules {
 public:
  /// Most processes of a schedule that is still readable.
  static constexpr int kMostProcs = 64;

  /// The number of a case's schedule; -1 where there is none: the algorithm is the library's, p is
  /// too large, or the page has enough of them.
  int of(const Case& what);

  /// {"blocks", "steps": [[sending ...] ...], "reduces": [[rank ...] ...]}, by number. A step holds
  /// what moves at the same time if every message takes one step. A sending is [ahead, ranges,
  /// ranks]: each of the ranks (0: all) sends to the one so far ahead, modulo p, ranges of blocks
  /// [first, count], `first` being ahead of the rank's own share, modulo the blocks.
  [[nodiscard]] nlohmann::ordered_json json() && { return std::move(all_); }

 private:
  std::map<Case, int> known_{};
  std::size_t bytes_ = 0;
  nlohmann::ordered_json all_ = nlohmann::ordered_json::array();
};

}  // namespace breakeven::report
