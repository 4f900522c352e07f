// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tuner/emit/emitted.hpp"
#include "tuner/provenance.hpp"
#include "tuner/table.hpp"

namespace breakeven {

/// The table as one self-contained C++17 header, `breakeven_table::choose(...)`, which answers as
/// `Table::choose` does, at compile time too.
/// @throws Error when a rule's algorithm has a need that the header has no words for.
[[nodiscard]] Emitted cpp_header(const Table& table, const Provenance& provenance);

}  // namespace breakeven
