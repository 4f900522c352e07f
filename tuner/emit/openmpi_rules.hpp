// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "tuner/emit/emitted.hpp"
#include "tuner/provenance.hpp"
#include "tuner/table.hpp"

namespace breakeven {

/// The table as a file of rules for coll/tuned of Open MPI 4.1 and 5.0, without the version line
/// that only 5.0.7 and later understand.
///
/// Keys are lower bounds, of communicators and of messages, and a communicator smaller than the
/// first key gets the first rule; so there is a rule for each range of process counts that are
/// decided alike, one below the least p measured and one above the greatest, which leave the
/// decision to the library.
/// @throws UsageError as `tuned_rules` does, and for other versions.
[[nodiscard]] Emitted openmpi_rules(const Table& table, const Provenance& provenance);

/// Whether the first word that is no comment is a number, or names a version of such files.
[[nodiscard]] bool is_openmpi_rules(std::string_view text);

/// Stricter than the library, which drops a file silently or follows it into an abort.
[[nodiscard]] ReadTable read_openmpi_rules(std::string_view text);

}  // namespace breakeven
