// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "tuner/table.hpp"

namespace breakeven {

/// From these bytes on, up to the next range, in the unit of the format.
struct SizeRange {
  std::int64_t from_bytes = 0;
  std::string variant{};  ///< variant_text of what a caller gets, or native
  friend bool operator==(const SizeRange&, const SizeRange&) = default;
};

/// Process counts that are decided alike.
struct ProcsRange {
  int first = 0;
  int last = 0;
  std::vector<SizeRange> sizes{};  ///< ascending, from 0 on, neighbours differ
  friend bool operator==(const ProcsRange&, const ProcsRange&) = default;
};

struct CollectiveRanges {
  Collective collective = Collective::allreduce;
  std::vector<ProcsRange> procs{};  ///< ascending, from 2 to the greatest p measured
  friend bool operator==(const CollectiveRanges&, const CollectiveRanges&) = default;
};

/// What a format makes of choices and sizes.
struct Speech {
  std::string_view format;
  /// The variant that a reader of the file gets for a choice; native when the format can't say it.
  std::function<std::string(const Case& choice)> say;
  /// The message of a case in the unit of the format; it grows with the message.
  std::int64_t (*bytes)(const Case& what);
  /// What the format can't say of all sizes together, if there is something.
  std::function<void(Collective collective, int procs, std::vector<SizeRange>& sizes)> amend{};
};

/// What `Table::choose` says, p by p and byte by byte, as ranges: for libraries, which know no
/// neighbours by ratio and no needs. Below the least and above the greatest p measured, of each
/// collective: native. Collectives for which all is native are left out.
///
/// @throws UsageError naming both where two mappings of a collective are decided differently: no
///         library's format can tell mappings apart.
[[nodiscard]] std::vector<CollectiveRanges> ranges_of(const Table& table, const Speech& speech);

/// What ranges say of a problem; native outside of them. `bytes` as in Speech.
[[nodiscard]] std::string answer(const std::vector<CollectiveRanges>& ranges, const Case& problem,
                                 std::int64_t (*bytes)(const Case& what));

}  // namespace breakeven
