// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "tables/formats/common/emitted.hpp"
#include "tables/provenance.hpp"
#include "tables/table.hpp"

namespace breakeven::formats::mpich {

/// The table as the two selection trees that MPICH 4.0 and 4.2 load in the place of their own: the
/// MPIR layer's, which names algorithms, and CH4's, which hands the user's communicator to that
/// layer where the table has chosen. Both are the library's own trees everywhere else.
/// @throws UsageError when the library's version is another one, its own tree is not there, or a
///         choice is none of its algorithms.
[[nodiscard]] Emitted emit_json(const tables::Table& table, const tables::Provenance& provenance);
[[nodiscard]] Emitted emit_ch4_json(const tables::Table& table,
                                    const tables::Provenance& provenance);

/// Finds faults in any selection tree of these layers.
[[nodiscard]] ReadTable read_json(std::string_view text);
[[nodiscard]] ReadTable read_ch4_json(std::string_view text);

/// Whether a text looks like one of them, however broken.
[[nodiscard]] bool is_json(std::string_view text);
[[nodiscard]] bool is_ch4_json(std::string_view text);

}  // namespace breakeven::formats::mpich
