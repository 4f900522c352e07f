// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tuner/formats/common/emitted.hpp"
#include "tuner/provenance.hpp"
#include "tuner/table.hpp"

namespace breakeven::formats {

/// The table as comma-separated values, for spreadsheets and data frames: a row for each rule,
/// with units in the columns' names, behind a head of lines that begin with '#'.
[[nodiscard]] Emitted csv(const tuner::Table& table, const tuner::Provenance& provenance);

}  // namespace breakeven::formats
