// SPDX-License-Identifier: BSD-3-Clause
#include "executor/plan_of.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/error.hpp"
#include "executor/call_key.hpp"
#include "executor/call_terms.hpp"
#include "executor/comm_plans.hpp"
#include "executor/element_type.hpp"
#include "executor/mpi_error.hpp"
#include "kernels/build.hpp"

namespace breakeven::executor {

namespace {

/// The bytes of data of each process's share, as far as this rank knows them: all but its own are 0
/// at the ranks of a gatherv and scatterv that are not the root. Empty where shares are equal.
std::vector<std::int64_t> share_bytes(const MpiCall& call, int procs, int me) {
  if (!irregular(call.collective)) return {};
  const CallBuffer& all = call.input.counts.empty() ? call.output : call.input;
  std::vector<std::int64_t> shares;
  for (const std::int64_t count : all.counts) shares.push_back(count * size_of(all.type));
  if (shares.empty()) {
    shares.resize(static_cast<std::size_t>(procs));
    const CallBuffer& own = call.described();
    shares[static_cast<std::size_t>(me)] = own.count * size_of(own.type);
  }
  return shares;
}

kernels::Problem problem_of(const ChosenVariant& choice, const MpiCall& call,
                            const CommPlans& plans) {
  require_root(call, plans.procs);
  return {.collective = call.collective,
          .procs = plans.procs,
          .me = plans.me,
          .root = Rank{call.root},
          .params = choice.variant.params,
          .placement = choice.placement};
}

void require_order(const ChosenVariant& choice, const MpiCall& call) {
  if (keeps_order(choice, call)) return;
  throw UsageError(fmt::format(
      "{}/{} does not keep operands in rank order, which an operation that does not commute needs",
      kCollectives.of(call.collective), choice.variant.algorithm->name));
}

/// Whether some rank but the root handles more than its own share.
bool passes_on_shares(const kernels::Algorithm& algorithm, kernels::Problem problem) {
  for (problem.me = {0}; problem.me.value < problem.procs; ++problem.me.value) {
    if (problem.at_root()) continue;
    const kernels::Schedule schedule = kernels::build_schedule(algorithm, problem);
    if (schedule.blocks != problem.procs || kernels::scratch_slots(schedule) > 0) return true;
  }
  return false;
}

/// The shares of an irregular call, completed by the root's where ranks need to know them.
std::vector<std::int64_t> known_shares(const ChosenVariant& choice, const MpiCall& call,
                                       CommPlans& plans) {
  std::vector<std::int64_t> shares = share_bytes(call, plans.procs, plans.me.value);
  if (!rooted(call.collective) || !irregular(call.collective)) return shares;
  start_key(plans.key, choice, call);
  auto needs = plans.needs_all_shares.find(plans.key);
  if (needs == plans.needs_all_shares.end()) {
    const kernels::Problem problem = problem_of(choice, call, plans);
    kernels::require_runs(*choice.variant.algorithm, problem);
    needs = plans.needs_all_shares
                .emplace(plans.key, passes_on_shares(*choice.variant.algorithm, problem))
                .first;
  }
  if (needs->second) {
    // Past our own replacement of it, where there is one.
    check_mpi(PMPI_Bcast(shares.data(), static_cast<int>(shares.size()), MPI_INT64_T, call.root,
                         call.comm),
              "MPI_Bcast");
  }
  return shares;
}

Plan make_plan(const ChosenVariant& choice, const MpiCall& call,
               std::span<const std::int64_t> shares, const CommPlans& plans) {
  const kernels::Problem problem = problem_of(choice, call, plans);
  kernels::require_runs(*choice.variant.algorithm, problem);
  require_order(choice, call);
  const CallTerms terms = terms_of(call, problem, shares, plans.channel.comm);
  return {kernels::build_schedule(*choice.variant.algorithm, problem),
          terms.call,
          terms.memory,
          terms.elements,
          plans.channel,
          plans.arena};
}

}  // namespace

void require_root(const MpiCall& call, int procs) {
  if (call.root >= 0 && call.root < procs) return;
  throw UsageError(fmt::format("root {} is not one of the ranks 0 to {}", call.root, procs - 1));
}

bool keeps_order(const ChosenVariant& choice, const MpiCall& call) {
  const auto& [algorithm, params] = choice.variant;
  if (!reduces(call.collective)) return true;
  if (algorithm->order_preserving && !params.find(kernels::kReorderRanks.key)) return true;
  int commutative = 0;
  check_mpi(MPI_Op_commutative(call.op, &commutative), "MPI_Op_commutative");
  return commutative != 0;
}

std::shared_ptr<Plan> plan_of(const ChosenVariant& choice, const MpiCall& call) {
  CommPlans& plans = CommPlans::of(call.comm);
  const std::vector<std::int64_t> shares = known_shares(choice, call, plans);
  start_key(plans.key, choice, call);
  finish_key(plans.key, call, shares);
  std::shared_ptr<Plan> plan = plans.plans.find(plans.key);
  if (plan == nullptr) {
    plan = std::make_shared<Plan>(make_plan(choice, call, shares, plans));
    plans.plans.add(plans.key, plan);
  }
  return plan;
}

}  // namespace breakeven::executor
