// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tuner/emit/emitted.hpp"
#include "tuner/emit/ranges.hpp"

namespace breakeven {

/// The greatest size: formats have words of their own for it.
inline constexpr std::int64_t kAllBytes = INT64_MAX;

/// Ranges as formats have them that say both ends, and nothing where the library decides.
struct Area {
  Collective collective = Collective::allreduce;
  int first_procs = 0;
  int last_procs = 0;
  std::int64_t from_bytes = 0;
  std::int64_t to_bytes = kAllBytes;  ///< inclusive
  std::string variant{};
  int line = 0;  ///< in the file, where one was read
};

/// By collective, process counts and sizes.
[[nodiscard]] std::vector<Area> areas_of(const std::vector<CollectiveRanges>& ranges);

/// The other way round; a fault for each area that is empty or overlaps one before it.
[[nodiscard]] std::vector<CollectiveRanges> ranges_of(const std::vector<Area>& areas,
                                                      std::vector<ReadTable::Fault>& faults);

}  // namespace breakeven
