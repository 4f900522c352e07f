// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <set>
#include <span>

#include "core/case.hpp"
#include "harness/plan/sweep.hpp"
#include "results/records.hpp"

namespace breakeven::session {

/// So many more launches of these cases at each of their layouts.
/// @param rows  what the database holds: the new launches are numbered after these
[[nodiscard]] plan::SweepPlan plan_of_more(const std::set<Case>& cases,
                                           std::span<const results::StoredLaunch> begun,
                                           int launches);

}  // namespace breakeven::session
