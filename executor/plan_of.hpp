// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "executor/memory.hpp"
#include "executor/mpi_call.hpp"
#include "executor/plan.hpp"
#include "executor/program.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/placement.hpp"

namespace breakeven::executor {

/// An MPI call in the terms of binding and plans.
struct CallTerms {
  kernels::CollectiveCall call{};
  Memory memory{};
  Elements elements{};
};

/// Elements that are reduced are the datatype's. Data that is only moved counts as bytes, in units
/// that follow from the bytes alone, because ranks may describe the same data by other datatypes.
///
/// @param problem  of this rank
/// @param shares   the bytes of each process's share, as far as the schedule needs them; empty
///                 where shares are equal
/// @param comm     on which MPI returns errors
/// @throws UsageError when MPI does not define the operation on the datatype, or when input and
///         output do not agree on the bytes of a share.
[[nodiscard]] CallTerms terms_of(const MpiCall& call, const kernels::Problem& problem,
                                 std::span<const std::int64_t> shares, MPI_Comm comm);

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

/// The bytes of data of each process's share, of irregular calls; else empty.
/// @param told  collective: the root tells its shares, else all but its own are 0 at other ranks
[[nodiscard]] std::vector<std::int64_t> shares_of(const MpiCall& call,
                                                  const kernels::Problem& problem, bool told);

/// The plan by which an algorithm of the catalogue performs the call. Not collective.
/// @throws UsageError in one line when the algorithm can't run so, does not keep the order that the
///         operation needs, or when the arguments are not those of a valid call.
/// @throws MpiError naming the MPI call that failed.
[[nodiscard]] Plan plan_of(const kernels::Algorithm& algorithm, const kernels::Problem& problem,
                           const MpiCall& call, std::span<const std::int64_t> shares,
                           const Channel& channel);

}  // namespace breakeven::executor
