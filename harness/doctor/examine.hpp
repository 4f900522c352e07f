// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "harness/doctor/finding.hpp"
#include "harness/launch/job.hpp"

namespace breakeven {

/// What was seen of a machine, and what that means.
struct Examination {
  std::string machine{};           ///< the MPI library's; empty without MPI
  std::vector<NodeFacts> nodes{};  ///< of the job, as their first ranks come; last, if it is none
                                   ///< of these, the one from which the job was started
  std::vector<Finding> findings{};
};

/// Examines every node of a job of that layout, with all its ranks, and this host.
/// @param patience  silence after which the job counts as hung
/// @throws UsageError when the job can't be started or placed so.
[[nodiscard]] Examination examine_job(const Library& library, const JobLayout& layout,
                                      Seconds patience);

/// Examines this host without MPI: threads stand for the ranks, one on each usable core.
/// @param procs  ranks to be thought of, 0 for as many as there are cores
[[nodiscard]] Examination examine_here(int procs);

}  // namespace breakeven
