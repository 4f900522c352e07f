// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/case.hpp"
#include "tables/table.hpp"
#include "tuner/decision.hpp"

namespace breakeven::tuner {

/// How a table chooses on layouts that it has no rules for: each measured layout of a collective,
/// form and mapping is held out in turn, of a library's table each p, and the choices of the
/// others' rules there are compared with the measurements there.
struct CrossValidation {
  tables::Candidates candidates = tables::Candidates::all;  ///< of the tables
  Collective collective = Collective::allreduce;
  CallForm form = CallForm::blocking;
  Mapping mapping{};
  std::vector<NodeLayout> layouts{};  ///< that were held out in turn; none where there are too few;
                                      ///< of a library's table with nothing but p
  int cells = 0;                      ///< (layout, size) pairs at which the choice was measured
  int unknown = 0;                    ///< and those at which it was not
  double mean_regret = 0;             ///< choice / fastest - 1 over the cells; of several
                                      ///< counts the worst
  std::optional<double> mean_regret_by_procs{};  ///< of a table that knows p alone; nothing on one
                                                 ///< node
  double worst_regret = 0;
  Case worst{};           ///< the problem where that is
  int native_better = 0;  ///< cells in which native is significantly faster than the choice
};

/// One entry for each collective, form and mapping of a table. A library's table leaves to the
/// library what is not between measured process counts: the least and the greatest are not held out
/// there.
/// @param decisions  of which the table was made
[[nodiscard]] std::vector<CrossValidation> cross_validate(std::span<const Decision> decisions,
                                                          const tables::Table& table);

}  // namespace breakeven::tuner
