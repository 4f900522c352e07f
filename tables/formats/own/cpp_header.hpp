// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "tables/formats/common/emitted.hpp"
#include "tables/formats/own/json.hpp"
#include "tables/provenance.hpp"
#include "tables/table.hpp"

namespace breakeven::formats {

/// The table as one self-contained C++17 header, `breakeven_table::choose(...)`, which answers as
/// `Table::choose` does, at compile time too.
/// @throws Error when a rule's algorithm has a need that the header has no words for.
[[nodiscard]] Emitted cpp_header(const tables::Table& table, const tables::Provenance& provenance);

/// A header's table: choices, certainty as far as `decided` tells, and on what it was measured,
/// which stands behind each rule; and where it comes from. A header that was edited has a fault:
/// what is written of its table is the same file again, or it doesn't answer as the table does.
[[nodiscard]] ReadKept read_kept_header(std::string_view text);

[[nodiscard]] ReadTable read_cpp_header(std::string_view text);

}  // namespace breakeven::formats
