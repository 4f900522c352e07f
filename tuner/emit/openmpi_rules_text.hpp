// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/library_offer.hpp"
#include "libraries/openmpi_rules.hpp"
#include "tuner/emit/ranges.hpp"

/// What the writer and the reader of Open MPI's rules share.
namespace breakeven::openmpi_rules_text {

/// The key of the head's lines that say which number each algorithm has: "allreduce 4 ring".
inline constexpr std::string_view kIds = "ids";

/// The part of the file that the library reads; its comments say what the numbers mean.
[[nodiscard]] std::string body(const std::vector<CollectiveRanges>& ranges,
                               const LibraryOffer& offer);

/// Why a version can't have such a file; nothing when it can.
[[nodiscard]] std::optional<std::string> unfit(const openmpi::Version& version);

}  // namespace breakeven::openmpi_rules_text
