// SPDX-License-Identifier: BSD-3-Clause
#include "executor/plan_of.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "executor/element_type.hpp"
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

std::vector<std::int64_t> shares_of(const MpiCall& call, const kernels::Problem& problem,
                                    bool told) {
  if (!irregular(call.collective)) return {};
  std::vector<std::int64_t> shares = bytes_in(call.shares, call.of_all().type);
  if (shares.empty()) {
    const CallBuffer& own = call.described();
    shares.resize(static_cast<std::size_t>(problem.procs));
    shares[static_cast<std::size_t>(problem.me.value)] = own.count * size_of(own.type);
  }
  if (told) {
    // Past our own replacement of it, where there is one.
    check_mpi(PMPI_Bcast(shares.data(), static_cast<int>(shares.size()), MPI_INT64_T, call.root,
                         call.comm),
              "MPI_Bcast");
  }
  return shares;
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
  const CallTerms terms = terms_of(call, problem, shares, channel.comm);
  return {kernels::build_schedule(algorithm, problem), terms.call, terms.memory, terms.elements,
          channel};
}

}  // namespace breakeven::executor
