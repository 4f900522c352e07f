// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/candidate.hpp"

#include <fmt/format.h>

#include <memory>

#include "core/error.hpp"
#include "executor/mpi_call.hpp"
#include "executor/mpi_types.hpp"
#include "executor/plan.hpp"
#include "harness/worker/library_choice.hpp"
#include "kernels/build.hpp"
#include "kernels/pattern.hpp"
#include "libraries/library_algorithm.hpp"
#include "mock_ups/composed/compose.hpp"

namespace breakeven::worker {

namespace {

BoundCandidate bind_library_algorithm(const Case& what, Workspace& workspace, MPI_Comm comm) {
  if (const auto reason = libraries::refusal(what)) {
    throw UsageError(fmt::format("{} {}", algorithm_text(what), *reason));
  }
  auto forced = std::make_shared<const forced::ForcedAlgorithm>(what, comm, forced::Unable::fails);
  return {.choice = {.by = forced}, .run = native_collective(workspace, forced->comm())};
}

BoundCandidate bind_default(Workspace& workspace, MPI_Comm comm) {
  const std::shared_ptr<const executor::Communicator> own = duplicate_without_table(comm);
  return {.run = native_collective(workspace, own->get()), .comm = own};
}

executor::MpiCall call_of(Workspace& workspace, MPI_Comm comm) {
  const kernels::CollectiveCall& call = workspace.call();
  return executor::mpi_call_of(call, workspace.input().data(), workspace.output().data(),
                               native_op(call.op), comm);
}

/// @param choice  a plan or a mock-up
BoundCandidate bound_to(forced::BoundChoice choice, Workspace& workspace, MPI_Comm comm) {
  return {.choice = choice, .run = [choice, call = call_of(workspace, comm)] {
            choice.run(call, [] { return MPI_SUCCESS; });
          }};
}

BoundCandidate bind_mock_up(const Composed& mock_up, Workspace& workspace, MPI_Comm comm) {
  const kernels::CollectiveCall& call = workspace.call();
  return bound_to({.by = composed::compose(mock_up, call, executor::mpi_datatype(call.datatype),
                                           native_op(call.op), comm)},
                  workspace, comm);
}

BoundCandidate bind_schedule(const Case& what, Workspace& workspace, MPI_Comm comm) {
  const kernels::Algorithm& algorithm = kernels::algorithm_of(what);
  // The workspace belongs to the whole problem, the parameters to this candidate alone.
  kernels::CollectiveCall call = workspace.call();
  call.problem = kernels::problem_of(what, call.problem.me);
  kernels::require_runs(algorithm, call.problem);
  BoundCandidate bound =
      bound_to({.by = std::make_shared<executor::Plan>(
                    kernels::build_schedule(algorithm, call.problem), call, comm)},
               workspace, comm);
  bound.has_result = !kernels::is_pattern(what.variant);
  return bound;
}

}  // namespace

std::function<void()> native_collective(Workspace& workspace, MPI_Comm comm) {
  return executor::library_call(call_of(workspace, comm)).run;
}

BoundCandidate bind_candidate(const Case& what, Workspace& workspace, MPI_Comm comm,
                              bool beside_tuned) {
  return std::visit(
      Overloaded{[&](Native) {
                   return beside_tuned ? bind_default(workspace, comm)
                                       : BoundCandidate{.run = native_collective(workspace, comm)};
                 },
                 [&](Tuned) { return BoundCandidate{.run = native_collective(workspace, comm)}; },
                 [&](const LibraryOwn&) { return bind_library_algorithm(what, workspace, comm); },
                 [&](const Composed& mock_up) { return bind_mock_up(mock_up, workspace, comm); },
                 [&](const auto&) { return bind_schedule(what, workspace, comm); }},
      what.variant);
}

}  // namespace breakeven::worker
