// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "tables/formats/common/emitted.hpp"
#include "tables/provenance.hpp"
#include "tables/table.hpp"

namespace breakeven::formats::mpich {

/// The table as shell lines that set control variables of MPICH. One can say a single algorithm for
/// a collective: only collectives for which the table has one everywhere are in it.
/// @throws UsageError when the library's version is none that is known, or a choice is none of its
///         algorithms.
[[nodiscard]] Emitted emit_cvars(const tables::Table& table, const tables::Provenance& provenance);

[[nodiscard]] ReadTable read_cvars(std::string_view text);

/// Whether a text looks like one of them, however broken.
[[nodiscard]] bool is_cvars(std::string_view text);

}  // namespace breakeven::formats::mpich
