// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/candidate.hpp"

#include <fmt/format.h>

#include <memory>

#include "core/error.hpp"
#include "executor/mpi_types.hpp"
#include "executor/plan.hpp"
#include "harness/worker/library_choice.hpp"
#include "harness/worker/native.hpp"
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
  return {.run = native_collective(workspace, forced->comm()), .forced = forced};
}

BoundCandidate bind_default(Workspace& workspace, MPI_Comm comm) {
  const std::shared_ptr<const executor::Communicator> own = duplicate_without_table(comm);
  return {.run = native_collective(workspace, own->get()), .comm = own};
}

BoundCandidate bind_mock_up(const Composed& mock_up, Workspace& workspace, MPI_Comm comm) {
  return {.run = [run = composed::compose(mock_up, workspace.call(),
                                          executor::mpi_datatype(workspace.call().datatype),
                                          native_op(workspace.call().op), comm),
                  in = workspace.input().data(),
                  out = workspace.output().data()] { run(in, out); }};
}

BoundCandidate bind_schedule(const Case& what, Workspace& workspace, MPI_Comm comm) {
  const kernels::Algorithm& algorithm = kernels::algorithm_of(what);
  // The workspace is of the whole problem, the parameters are this candidate's own.
  kernels::CollectiveCall call = workspace.call();
  call.problem = kernels::problem_of(what, call.problem.me);
  kernels::require_runs(algorithm, call.problem);
  // Shared because std::function wants to be copied, which a plan must not be.
  const auto plan = std::make_shared<executor::Plan>(
      kernels::build_schedule(algorithm, call.problem), call, comm);
  return {.run = [plan, input = workspace.input().data(),
                  output = workspace.output().data()] { plan->run(input, output); },
          .has_result = !kernels::is_pattern(what.variant)};
}

}  // namespace

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
