// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
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

/// A table as Open MPI's component coll/tuned can follow it, in whatever syntax.
struct TunedRules {
  libraries::openmpi::Version version{};
  std::vector<CollectiveRanges> ranges{};
  std::vector<std::string> degraded{};
};

/// Why a version of Open MPI can't have files of a format; nothing when it can.
using Unfit = std::optional<std::string> (*)(const libraries::openmpi::Version& version);

/// The version of the machine's library.
/// @param format  its name, for messages
/// @throws UsageError when it is no Open MPI
[[nodiscard]] libraries::openmpi::Version version_of(const tables::Provenance& provenance,
                                                     std::string_view format);

/// @param format  its name, for messages
/// @throws UsageError when the machine's library is no Open MPI, or unfit, two mappings of a
///         collective are decided differently, or a chosen algorithm is not among those that the
///         library listed.
[[nodiscard]] TunedRules tuned_rules(const tables::Table& table,
                                     const tables::Provenance& provenance, std::string_view format,
                                     Unfit unfit);

/// The number of an algorithm; 0, which leaves the decision to the library, for an empty name.
/// @throws UsageError where the library did not list it.
[[nodiscard]] int tuned_id(const LibraryCapabilities& capabilities, Collective collective,
                           std::string_view name);

/// The hazard of several size rules for one communicator size; nothing when there is none.
[[nodiscard]] std::optional<std::string> tuned_hazard(Collective collective, std::size_t sizes);

/// The numbers of algorithms: as the lines `kIds` of a file's text list them, of other collectives
/// those of the version that the text names.
/// @param major  the version where it names none
[[nodiscard]] LibraryCapabilities tuned_numbers(std::string_view text, int major);
/// Of these, the one with the number; null: there is none.
[[nodiscard]] const ListedAlgorithm* find_tuned(const LibraryCapabilities& capabilities,
                                                Collective collective, int number);

/// Adds the faults of a rule for communicators of these sizes: an algorithm that ends or hangs a
/// program. Adds advice, also on an algorithm that isn't known here. Harm to some programs is
/// advice, unless the head says what it allows: see unsafe_rule.
/// @param algorithm  gets the parameters that it runs with
void check_tuned(Collective collective, const Range& procs, int line, std::string_view head,
                 libraries::openmpi::RuledAlgorithm& algorithm, ReadTable& read);

/// The library's version that a file's head names; nothing where it names none.
[[nodiscard]] std::optional<libraries::openmpi::Version> version_in(std::string_view head);
/// Why the library's version that a file's head names can't load the form, as `unfit` has it;
/// nothing where it can, or the head names none.
[[nodiscard]] std::optional<std::string> unfit_head(std::string_view head, Unfit unfit);

/// How to apply rules, and how to undo it, in lines.
/// @param several_nodes  of the table: coll/han comes before coll/tuned there
[[nodiscard]] std::vector<std::string> tuned_directions(const libraries::openmpi::Version& version,
                                                        bool several_nodes);

/// The bytes that coll/tuned compares with its message sizes; 0 where they don't grow with the
/// message.
[[nodiscard]] std::int64_t tuned_bytes(const Case& choice);

}  // namespace breakeven::formats::openmpi
