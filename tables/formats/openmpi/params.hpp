// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "tables/formats/common/emitted.hpp"
#include "tables/provenance.hpp"
#include "tables/table.hpp"

namespace breakeven::formats::openmpi {

/// The table's choices for nonblocking calls as shell lines that set MCA parameters of coll/libnbc,
/// which has no rules: a parameter names a single algorithm for all p and sizes. Only collectives
/// for which the table has one everywhere are in it.
/// @throws UsageError when the machine's library is no Open MPI, when the table has no rule for
///         nonblocking calls, or when a choice is none of coll/libnbc's algorithms
[[nodiscard]] Emitted emit_params(const tables::Table& table, const tables::Provenance& provenance);

/// Of any shell script: other variables, and commands that set none, are passed over.
[[nodiscard]] ReadTable read_params(std::string_view text);

}  // namespace breakeven::formats::openmpi
