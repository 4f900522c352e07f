// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <set>
#include <span>
#include <string_view>

#include "guidelines/evaluate.hpp"
#include "stats/case_times.hpp"

namespace breakeven::guidelines {

/// The cases of one implementation, with equal counts, by collective and cell.
class FastestCases {
 public:
  FastestCases(std::span<const Measurement> measurements, std::string_view implementation);

  /// The fastest case of `collective` in `cell`, of which a collective that does not reduce
  /// ignores the op, and one without a root the root; null when none was measured.
  [[nodiscard]] const stats::CaseTimes* find(Collective collective, Cell cell) const;

  /// Every cell of `collective`, with op none and root 0 where it has none.
  [[nodiscard]] std::set<Cell> cells(Collective collective) const;

 private:
  std::map<Collective, std::map<Cell, stats::CaseTimes>> fastest_;
};

}  // namespace breakeven::guidelines
