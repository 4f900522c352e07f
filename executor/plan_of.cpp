// SPDX-License-Identifier: BSD-3-Clause
#include "executor/plan_of.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "executor/mpi_error.hpp"
#include "kernels/build.hpp"

namespace breakeven::executor {

void require_root(const MpiCall& call, int procs) {
  if (call.root >= 0 && call.root < procs) return;
  throw UsageError(fmt::format("root {} is not one of the ranks 0 to {}", call.root, procs - 1));
}

bool keeps_order(const kernels::Instance& by, const MpiCall& call) {
  if (!reduces(call.collective)) return true;
  if (by.algorithm->order_preserving && !by.params.find(kernels::kReorderRanks.key)) return true;
  int commutative = 0;
  check_mpi(MPI_Op_commutative(call.op, &commutative), "MPI_Op_commutative");
  return commutative != 0;
}

kernels::Problem problem_of(const kernels::Instance& by, const MpiCall& call,
                            const kernels::Placement& placement) {
  kernels::Problem problem{.collective = call.collective,
                           .root = Rank{call.root},
                           .params = by.params,
                           .placement = placement};
  check_mpi(MPI_Comm_size(call.comm, &problem.procs), "MPI_Comm_size");
  check_mpi(MPI_Comm_rank(call.comm, &problem.me.value), "MPI_Comm_rank");
  require_root(call, problem.procs);
  return problem;
}

bool passes_on_shares(const kernels::Algorithm& algorithm, kernels::Problem problem) {
  kernels::require_runs(algorithm, problem);
  for (problem.me = {0}; problem.me.value < problem.procs; ++problem.me.value) {
    if (problem.at_root()) continue;
    const kernels::Schedule schedule = kernels::build_schedule(algorithm, problem);
    if (schedule.blocks != problem.procs || kernels::scratch_slots(schedule) > 0) return true;
  }
  return false;
}

Plan plan_of(const kernels::Algorithm& algorithm, const kernels::Problem& problem,
             const MpiCall& call, std::span<const std::int64_t> shares, const Channel& channel) {
  kernels::require_runs(algorithm, problem);
  if (!keeps_order({&algorithm, problem.params}, call)) {
    throw UsageError(
        fmt::format("{}/{} does not keep operands in rank order, which an operation that does not "
                    "commute needs",
                    kCollectives.of(call.collective), algorithm.name));
  }
  return {kernels::build_schedule(algorithm, problem), call, problem, shares, channel};
}

}  // namespace breakeven::executor
