// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "harness/doctor/examine.hpp"
#include "harness/launch/job.hpp"

namespace breakeven::session {

/// Examines every node of a job of that layout, with all its ranks, and this host.
/// @param patience  silence after which the job counts as hung
/// @throws UsageError when the job can't be started or placed so.
[[nodiscard]] doctor::Examination examine_job(const launch::Library& library,
                                              const launch::JobLayout& layout, Seconds patience);

}  // namespace breakeven::session
