// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "executor/call_terms.hpp"
#include "executor/mpi_call.hpp"
#include "executor/plan.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/placement.hpp"

namespace breakeven::executor {

/// @throws UsageError when the call's root is none of the ranks; a call without a root has 0.
void require_root(const MpiCall& call, int procs);

/// Whether operands stay in rank order where the call's operation needs that.
[[nodiscard]] bool keeps_order(const kernels::Instance& by, const MpiCall& call);

/// The problem that an algorithm solves in the call, at this rank.
/// @throws UsageError as require_root()
[[nodiscard]] kernels::Problem problem_of(const kernels::Instance& by, const MpiCall& call,
                                          const kernels::Placement& placement = {});

/// Whether some rank but the root handles more than its own share, so that the ranks of a gatherv
/// or scatterv must be told the shares. Builds all ranks' schedules.
/// @throws UsageError when the algorithm can't run the problem.
[[nodiscard]] bool passes_on_shares(const kernels::Algorithm& algorithm, kernels::Problem problem);

/// The plan by which an algorithm of the catalogue performs the call. Not collective.
/// @param shares  as take_sizes() has them
/// @throws UsageError in one line when the algorithm can't run so, does not keep the order that the
///         operation needs, or when the arguments are not those of a valid call.
/// @throws MpiError naming the MPI call that failed.
[[nodiscard]] Plan plan_of(const kernels::Algorithm& algorithm, const kernels::Problem& problem,
                           const MpiCall& call, std::span<const std::int64_t> shares,
                           const Channel& channel);

}  // namespace breakeven::executor
