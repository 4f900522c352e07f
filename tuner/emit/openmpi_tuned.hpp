// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libraries/openmpi_rules.hpp"
#include "tuner/emit/ranges.hpp"
#include "tuner/provenance.hpp"
#include "tuner/table.hpp"

namespace breakeven {

/// A table as Open MPI's component coll/tuned can follow it, in whatever syntax.
struct TunedRules {
  openmpi::Version version{};
  std::vector<CollectiveRanges> ranges{};  ///< sizes as openmpi::rules_bytes has them
  std::vector<std::string> degraded{};
};

/// @param format  its name, for messages
/// @throws UsageError when the machine's library is no Open MPI, two mappings of a collective are
///         decided differently, or a chosen algorithm is not among those that the library listed.
[[nodiscard]] TunedRules tuned_rules(const Table& table, const Provenance& provenance,
                                     std::string_view format);

/// The number of an algorithm; 0, which leaves the decision to the library, for an empty name.
/// @throws UsageError where the library did not list it.
[[nodiscard]] int tuned_id(const LibraryOffer& offer, Collective collective, std::string_view name);

/// Why a rule for communicators of `first` to `last` processes would harm a program; nothing when
/// it would not.
[[nodiscard]] std::optional<std::string> tuned_hazard(Collective collective, int first, int last,
                                                      std::string_view algorithm);
/// The same of the number of size rules for one communicator size.
[[nodiscard]] std::optional<std::string> tuned_hazard(Collective collective, std::size_t sizes);

/// How to apply rules, and how to undo it, in lines.
/// @param file  the name of the file
[[nodiscard]] std::vector<std::string> tuned_directions(const openmpi::Version& version,
                                                        std::string_view file);

}  // namespace breakeven
