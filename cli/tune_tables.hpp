// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "tuner/table.hpp"

namespace breakeven::cli {

/// The table for each kind of reader, made when it is first asked for.
class TunedTables {
 public:
  struct Made {
    tuner::Table table{};
    std::vector<std::string> reproducible{};  ///< see tuner::lines_of; empty unless asked for
  };

  TunedTables(std::span<const Measurement> measurements, tuner::TableKey key, bool reproducible)
      : measurements_{measurements}, key_{std::move(key)}, reproducible_{reproducible} {}

  /// @throws UsageError when there can be no such table of these measurements
  [[nodiscard]] const Made& of(tuner::Candidates candidates);

 private:
  std::span<const Measurement> measurements_;
  tuner::TableKey key_;
  bool reproducible_;
  std::map<tuner::Candidates, Made> made_{};
};

/// The part of table.txt about what is reproducible and what that costs.
[[nodiscard]] std::string reproducible_text(TunedTables& tables, bool of_library);

}  // namespace breakeven::cli
