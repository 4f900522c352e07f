// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "libraries/openmpi_rules.hpp"
#include "tables/formats/common/emitted.hpp"
#include "tables/provenance.hpp"
#include "tables/table.hpp"

namespace breakeven::formats::openmpi {

/// The table as the JSON that coll/tuned of Open MPI reads from version 6 on.
///
/// Ranges are inclusive at both ends, and what no range holds is left to the library. The library
/// takes no comments but ignores keys that it does not know: the head is the value of "breakeven".
/// No communicator size is "inf", which the library takes for -1.
/// @throws UsageError as `tuned_rules` does, and for older versions.
[[nodiscard]] Emitted emit_json(const tables::Table& table, const tables::Provenance& provenance);

/// Finds rules that the library drops or misunderstands, in a file of any author.
[[nodiscard]] ReadTable read_json(std::string_view text);

/// Why a version can't have such a file; nothing when it can.
[[nodiscard]] std::optional<std::string> unfit_for_json(const libraries::openmpi::Version& version);

}  // namespace breakeven::formats::openmpi
