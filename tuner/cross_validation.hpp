// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "core/case.hpp"
#include "tables/table.hpp"
#include "tuner/decision.hpp"

namespace breakeven::tuner {

/// How a table chooses at process counts that it has no rules for: each measured p of a collective,
/// form and mapping is held out in turn, and the choices of the others' rules there are compared
/// with the measurements there.
struct CrossValidation {
  tables::Candidates candidates = tables::Candidates::all;  ///< of the tables
  Collective collective = Collective::allreduce;
  CallForm form = CallForm::blocking;
  Mapping mapping{};
  std::vector<int> procs{};  ///< that were held out in turn; none where there are too few
  int cells = 0;             ///< (p, size) pairs at which the choice was measured
  int unknown = 0;           ///< and those at which it was not
  double mean_regret = 0;    ///< choice / fastest - 1 over the cells; of several
                             ///< counts the worst
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

/// The fewest process counts at which a collective has to be measured for this.
[[nodiscard]] int least_procs(tables::Candidates candidates);

}  // namespace breakeven::tuner
