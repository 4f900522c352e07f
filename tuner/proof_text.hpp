// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "tuner/proof.hpp"

namespace breakeven {

/// A proof for people: a row for each cell, then one verdict.
[[nodiscard]] std::string proof_text(const Proof& proof);

/// The same for programs: CSV, a row for each cell, with units in the columns' names.
[[nodiscard]] std::string proof_csv(const Proof& proof);

}  // namespace breakeven
