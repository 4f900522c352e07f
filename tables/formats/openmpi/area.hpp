// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/case.hpp"
#include "libraries/openmpi_rules.hpp"
#include "tables/formats/common/emitted.hpp"
#include "tables/formats/openmpi/ranges.hpp"

namespace breakeven::formats::openmpi {

/// A rule of a file, and where it holds; outside of all of them the library decides.
struct Area {
  Collective collective = Collective::allreduce;
  Range procs{};
  Range bytes{};  ///< as the component counts them
  libraries::openmpi::RuledAlgorithm algorithm{};
  int number = 0;  ///< of the algorithm; 0 where the file names it
  int line = 0;
  std::string_view placing{};  ///< of the ranks on nodes: one of area.hpp's; empty: any
  bool rest = false;  ///< the sizes that no rule for these communicators holds: the library decides
};
inline constexpr std::string_view kSingleNode = "single-node";
inline constexpr std::string_view kOnePerNode = "one-per-node";

/// The numbers that both hold; none of them: it ends before it begins.
[[nodiscard]] Range common(const Range& one, const Range& other);

/// The areas of ranges; outside of them the library decides.
[[nodiscard]] std::vector<Area> areas_of(std::span<const CollectiveRanges> ranges);

/// A component that follows rules.
struct Component {
  std::string_view name{};
  std::int64_t (*bytes)(const Case& problem) = nullptr;  ///< what it compares with its rules' sizes
  std::string_view (*bytes_text)(Collective collective) = nullptr;
};
inline constexpr Component kTuned{"coll/tuned", libraries::openmpi::rules_bytes,
                                  libraries::openmpi::rules_bytes_text};

/// The choice for a problem of the first area that holds.
[[nodiscard]] Answer answer(std::span<const Area> areas, const Case& problem,
                            const Component& component = kTuned);

/// Lets a file without faults answer by its areas.
void answer_by(std::vector<Area> areas, ReadTable& read, const Component& component = kTuned);

}  // namespace breakeven::formats::openmpi
