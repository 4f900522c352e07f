// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "harness/plan/sweep.hpp"
#include "tuner/verify/trial.hpp"
#include "tuner/verify/verification.hpp"

namespace breakeven::session {

/// Launches in which each problem is solved by default and with each table that it is tried with,
/// but for those where that is the same call.
/// @param beside_default  what a table in force (Tuned) makes of a problem stands in one launch
///                        with the default, in turns; else in two, which follow each other in an
///                        order drawn anew each time
[[nodiscard]] plan::SweepPlan plan_of_trial(std::span<const verify::TriedProblem> problems,
                                            const verify::Trial& trial, bool beside_default);

}  // namespace breakeven::session
