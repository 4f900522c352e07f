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

/// The second half of a table for several nodes, next to its rules for coll/tuned: a file of rules
/// for coll/han of Open MPI 5.0. There that component comes first, and asks its rules in each call
/// whether to hand over to coll/tuned or which of its own algorithms to run. Where the table
/// chooses native, in collectives that it doesn't have, and below and above the measured process
/// counts, coll/han decides as without a table.
/// @throws UsageError as `tuned_rules` does, for other versions, and for a table of one node.
[[nodiscard]] Emitted emit_han_rules(const tables::Table& table,
                                     const tables::Provenance& provenance);

/// The component that coll/han hands over to, as its rules name it.
inline constexpr std::string_view kCollTuned = "tuned";

/// Whether a collective or a component stands outside of comments, behind a number.
[[nodiscard]] bool is_han_rules(std::string_view text);

/// Finds rules that the library drops or misunderstands, in a file of any author.
[[nodiscard]] ReadTable read_han_rules(std::string_view text);

/// Why a version can't have such a file; nothing when it can.
[[nodiscard]] std::optional<std::string> unfit_for_han_rules(
    const libraries::openmpi::Version& version);

}  // namespace breakeven::formats::openmpi
