// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libraries/openmpi_rules.hpp"
#include "tables/formats/common/emitted.hpp"
#include "tables/formats/openmpi/ranges.hpp"
#include "tables/provenance.hpp"
#include "tables/table.hpp"

namespace breakeven::formats::openmpi {

/// The table as a file of rules for coll/tuned of Open MPI 4.1 and 5.0, without the version line
/// that only 5.0.7 and later understand.
///
/// Keys are lower bounds, of communicators and of messages, and a communicator smaller than the
/// first key gets the first rule; so there is a rule for each range of process counts that are
/// decided alike, one below the least p measured and one above the greatest, which leave the
/// decision to the library.
/// @throws UsageError as `tuned_rules` does, and for other versions.
[[nodiscard]] Emitted emit_rules(const tables::Table& table, const tables::Provenance& provenance);

/// Whether the first word outside of comments is a number, or names a version of the format.
[[nodiscard]] bool is_rules(std::string_view text);

/// Finds rules that the library drops silently, or that end a program, in a file of any author.
/// Where the head doesn't list the numbers of algorithms, they are those of the version that it
/// names, or of Open MPI 5.
[[nodiscard]] ReadTable read_rules(std::string_view text);

/// The contents of such a file, as the library parses it.
struct ParsedRules {
  /// Without algorithms' names. A communicator smaller than the first range gets the first rule.
  std::vector<CollectiveRanges> rules{};
  /// The first count that the lines contradict: the reason of all faults behind it.
  std::optional<ReadTable::Fault> miscount{};
};
/// @param read  gets the parts that the library would stumble over, or misunderstand; with any of
///              them rules may be missing; and advice
[[nodiscard]] ParsedRules parse_rules(std::string_view text, ReadTable& read);

/// The beginning of a file whose rules may have a fifth number, the limit of requests.
inline constexpr std::string_view kVersionLine = "rule-file-version-";

/// Whether the version that a file's head names reads that beginning; true where it names none.
[[nodiscard]] bool knows_version_line(std::string_view text);

/// The key of the head's lines that list the number of each algorithm: "allreduce 4 ring".
inline constexpr std::string_view kIds = "ids";

/// Why a version can't have such a file; nothing when it can.
[[nodiscard]] std::optional<std::string> unfit_for_rules(
    const libraries::openmpi::Version& version);

}  // namespace breakeven::formats::openmpi
