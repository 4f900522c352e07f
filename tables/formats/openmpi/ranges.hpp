// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "libraries/openmpi_rules.hpp"
#include "tables/formats/common/answer.hpp"
#include "tables/table.hpp"

namespace breakeven::formats::openmpi {

/// From these bytes on, up to the next range; bytes as the component counts them.
struct SizeRange {
  std::int64_t from_bytes = 0;
  libraries::openmpi::RuledAlgorithm algorithm{};
  int line = 0;    ///< of a file that was read
  int number = 0;  ///< of the algorithm there; 0 where the file names it
  friend bool operator==(const SizeRange&, const SizeRange&) = default;
};

/// Process counts that are decided alike.
struct ProcsRange {
  int first = 0;
  int last = 0;
  std::vector<SizeRange> sizes{};  ///< ascending, from 0 on, neighbours differ
  int line = 0;                    ///< of a file that was read
  friend bool operator==(const ProcsRange&, const ProcsRange&) = default;
};

struct CollectiveRanges {
  Collective collective = Collective::allreduce;
  std::vector<ProcsRange> procs{};  ///< ascending, from 2 to the greatest p measured
  bool approximate = false;         ///< see Emitted
  std::vector<std::string> lost{};  ///< lost_lines
  int line = 0;                     ///< of a file that was read
  friend bool operator==(const CollectiveRanges&, const CollectiveRanges&) = default;
};

/// How a component's rules express a table's choices.
struct RuleMapper {
  /// The bytes that the component compares with the message sizes of its rules; 0 where they don't
  /// grow with the message.
  std::int64_t (*bytes)(const Case& choice);
  /// The algorithm that a rule names; the library's own decision where no rule can name the choice.
  /// A choice has the nodes that it was measured on.
  std::function<libraries::openmpi::RuledAlgorithm(const Case& choice)> rule_for;
  /// Changes sizes that rules can't express together.
  std::function<void(Collective collective, const Range& procs, std::vector<SizeRange>& sizes)>
      adjust;
};

/// The answers of `Table::choose`, p by p and byte by byte, as ranges. Below the least and above
/// the greatest p measured, of each collective: the library's own decision. Collectives that are
/// wholly left to the library are missing.
/// @param format  its name, for messages
/// @throws UsageError naming both where two mappings of a collective are decided differently: rules
///         can't tell mappings apart.
[[nodiscard]] std::vector<CollectiveRanges> ranges_of(const tables::Table& table,
                                                      std::string_view format,
                                                      const RuleMapper& mapper);
/// Those that are approximate.
[[nodiscard]] std::set<Collective> approximate_in(std::span<const CollectiveRanges> ranges);

}  // namespace breakeven::formats::openmpi
