// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "harness/doctor/finding.hpp"

namespace breakeven::doctor {

/// What was seen of a machine, and what that means.
struct Examination {
  std::string machine{};  ///< the MPI library's; empty without MPI
  std::vector<protocol::NodeFacts>
      nodes{};  ///< of the job, as their first ranks come; last, if it is none
                ///< of these, the one from which the job was started
  std::vector<Finding> findings{};
};

/// What the nodes of a job have said of themselves, with this host where it is none of them.
[[nodiscard]] Examination examined(std::string machine, std::vector<protocol::NodeFacts> nodes);

/// Examines this host without MPI: threads stand for the ranks, one on each usable core.
/// @param procs  ranks to be thought of, 0 for as many as there are cores
[[nodiscard]] Examination examine_here(int procs);

}  // namespace breakeven::doctor
