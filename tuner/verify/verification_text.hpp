// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "tuner/verify/verification.hpp"

namespace breakeven::verify {

/// "faster", "slower", or "undecided" with the number of launches, or pairs of runs, that may
/// decide if their mean and their noise stay.
/// @param what  "launches"
[[nodiscard]] std::string decision_text(const stats::Estimate& speedup, std::string_view what);

/// A verification for people: a row for each cell, then one verdict.
[[nodiscard]] std::string verification_text(const Verification& verification);

/// The same for programs, of each table by its name: CSV, a row for each cell, with units in the
/// columns' names.
[[nodiscard]] std::string verification_csv(
    const std::map<std::string, Verification>& verifications);

}  // namespace breakeven::verify
