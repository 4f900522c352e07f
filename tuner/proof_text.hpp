// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>

#include "tuner/proof.hpp"

namespace breakeven {

/// A proof for people: a row for each cell, then one verdict.
[[nodiscard]] std::string proof_text(const Proof& proof);

/// The same for programs, of each table by its name: CSV, a row for each cell, with units in the
/// columns' names.
[[nodiscard]] std::string proof_csv(const std::map<std::string, Proof>& proofs);

}  // namespace breakeven
