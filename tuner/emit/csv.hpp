// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "tuner/emit/emitted.hpp"
#include "tuner/provenance.hpp"
#include "tuner/table.hpp"

namespace breakeven {

/// The table as comma-separated values, for spreadsheets and data frames: a row for each rule,
/// with units in the columns' names, behind a head of lines that begin with '#'.
[[nodiscard]] Emitted csv(const Table& table, const Provenance& provenance);

[[nodiscard]] ReadTable read_csv(std::string_view text);

}  // namespace breakeven
