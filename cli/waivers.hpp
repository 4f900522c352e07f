// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "guidelines/evaluate.hpp"

namespace breakeven::cli {

/// Violations that are accepted for a time: a file of TOML with entries
///
///     [[waiver]]
///     guideline = "allreduce_as_reduce+bcast"   # a guideline, a family or a collective
///     reason = "reported to the library"
///     expires = 2027-01-31                      # the last day on which it holds
struct Waiver {
  std::vector<const guidelines::Guideline*> guidelines{};
  std::string reason{};
  std::chrono::year_month_day expires{};
};

/// @throws UsageError in one line naming file, line and what is possible.
[[nodiscard]] std::vector<Waiver> read_waivers(const std::string& file);

/// Notes in each violation that one of them holds for why it is accepted.
/// @return what to say of those that have expired
[[nodiscard]] std::vector<std::string> waive(guidelines::Evaluation& evaluation,
                                             const std::vector<Waiver>& waivers,
                                             std::chrono::year_month_day today);

}  // namespace breakeven::cli
