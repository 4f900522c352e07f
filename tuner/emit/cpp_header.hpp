// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "tuner/emit/emitted.hpp"
#include "tuner/provenance.hpp"
#include "tuner/table.hpp"
#include "tuner/table_json.hpp"

namespace breakeven {

/// The table as one self-contained C++17 header, `breakeven_table::choose(...)`, which answers as
/// `Table::choose` does, at compile time too.
/// @throws Error when a rule's algorithm has a need that the header has no words for.
[[nodiscard]] Emitted cpp_header(const Table& table, const Provenance& provenance);

/// Takes the header's rules apart, and compares all below the head with what the table's header is.
[[nodiscard]] ReadTable read_cpp_header(std::string_view text);

/// A header's table: choices, doubts as far as `sure` tells, and on what it was measured, which
/// stands behind each rule; and where it comes from. What is written of it is the same file again.
[[nodiscard]] ReadKept read_kept_header(std::string_view text);

/// All below the head, which says where the table comes from.
[[nodiscard]] std::string cpp_header_body(const Table& table);

}  // namespace breakeven
