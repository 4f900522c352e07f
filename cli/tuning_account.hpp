// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/units.hpp"
#include "harness/session/job_tuning.hpp"
#include "tables/saving.hpp"

namespace breakeven::cli {

/// The time of a job that tuned its program, and what this time saved.
struct TuningAccount {
  const std::vector<session::TuningStep>& steps;
  Seconds tuning{};
  Seconds whole{};                                   ///< of the job
  std::optional<tables::ObservedSaving> in_calls{};  ///< of the program itself
  std::optional<double> by_speedups_s{};             ///< as they were verified
};

/// A table of the steps, then a line: "tuning took 8.12 s of the job's 712 s, 1.1 %; the tables
/// saved ...: it paid". Tables paid where the least saving that is known is above the tuning.
[[nodiscard]] std::string to_text(const TuningAccount& account);

}  // namespace breakeven::cli
