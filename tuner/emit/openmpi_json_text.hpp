// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "libraries/openmpi_rules.hpp"
#include "tuner/emit/ranges.hpp"

/// What the writer and the reader of Open MPI's JSON share.
namespace breakeven::openmpi_json_text {

/// The file; each rule on a line of its own.
[[nodiscard]] std::string whole(const std::vector<std::string>& head,
                                const std::vector<CollectiveRanges>& ranges);

/// Why a version can't have such a file; nothing when it can.
[[nodiscard]] std::optional<std::string> unfit(const openmpi::Version& version);

}  // namespace breakeven::openmpi_json_text
