// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "libraries/openmpi_rules.hpp"
#include "tables/formats/common/emitted.hpp"

namespace breakeven::formats::openmpi {

/// A file of rules for coll/tuned as the library parses it, with the lines of what it says.
struct SizeRule {
  int line = 0;
  std::int64_t from_bytes = 0;
  int id = 0;
  libraries::openmpi::RuledAlgorithm algorithm{};
};
struct ProcsRule {
  int line = 0;
  int procs = 0;
  std::vector<SizeRule> sizes{};
};
struct CollectiveRules {
  int line = 0;
  int id = 0;
  std::vector<ProcsRule> procs{};
};

/// Faults are what the library would stumble over, or read as something else than what stands
/// there; with any of them there may be fewer rules than were announced.
[[nodiscard]] std::vector<CollectiveRules> parse_rules(std::string_view text,
                                                       std::vector<ReadTable::Fault>& faults);

}  // namespace breakeven::formats::openmpi
