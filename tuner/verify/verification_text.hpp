// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>

#include "tuner/verify/verification.hpp"

namespace breakeven::verify {

/// A verification for people: a row for each cell, then one verdict.
[[nodiscard]] std::string verification_text(const Verification& verification);

/// The same for programs, of each table by its name: CSV, a row for each cell, with units in the
/// columns' names.
[[nodiscard]] std::string verification_csv(
    const std::map<std::string, Verification>& verifications);

}  // namespace breakeven::verify
