// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

namespace breakeven {

// Lists as short as Slurm and ClusterShell write them, for messages.

/// "0-63,65": runs of three or more are folded.
/// @param numbers  ascending
[[nodiscard]] std::string folded(std::span<const int> numbers);

/// "login,node[001-064,070].site": names that differ in a number, which keeps its zeros. It is the
/// last one before the first dot.
/// @param names  in any order; each is named once
[[nodiscard]] std::string folded(std::vector<std::string> names);

/// Where ranks are, in their order: "node[001-064] x 64" fills each node with 64 ranks,
/// "64 times node[001-064]" deals them out. Of a long irregular list the end is left out, and
/// counted.
/// @param hosts  of each rank
[[nodiscard]] std::string folded_placement(std::span<const std::string> hosts);

}  // namespace breakeven
