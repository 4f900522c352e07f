// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>

#include "tuner/cross_validation.hpp"
#include "tuner/provenance.hpp"
#include "tuner/table.hpp"

namespace breakeven::formats {

/// The table for people: fixed-width text of at most 104 columns (longer only where algorithms with
/// their parameters, or provenance, are), with its provenance above, what was found where a p was
/// held out (if anything was), its terms explained below, and the rows of too few launches last.
[[nodiscard]] std::string readable(const tuner::Table& table, const tuner::Provenance& provenance,
                                   std::span<const tuner::CrossValidation> checked = {});

}  // namespace breakeven::formats
