// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/candidate.hpp"

#include <fmt/format.h>

#include <memory>

#include "core/error.hpp"
#include "executor/plan.hpp"
#include "harness/worker/native.hpp"
#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"
#include "libraries/library_algorithm.hpp"

namespace breakeven {

namespace {

BoundCandidate bind_library_algorithm(const Case& what, Workspace& workspace, MPI_Comm comm) {
  if (const auto reason = refusal(what)) {
    throw UsageError(fmt::format("{}, {}", algorithm_text(what), *reason));
  }
  auto forced = std::make_shared<const ForcedAlgorithm>(what, comm);
  return {.run = native_collective(workspace, forced->comm()), .forced = forced};
}

}  // namespace

BoundCandidate bind_candidate(const Case& what, Workspace& workspace, MPI_Comm comm) {
  if (library_name(what.algorithm)) return bind_library_algorithm(what, workspace, comm);
  if (what.algorithm == kNative) {
    if (what.params.empty()) return {.run = native_collective(workspace, comm)};
    throw UsageError(fmt::format("{}/native takes no parameters, asked: {}",
                                 kCollectives.of(what.collective), what.params));
  }
  const Algorithm& algorithm = find_algorithm(what.collective, what.algorithm);
  // The workspace is of the whole problem, the parameters are this candidate's own.
  CollectiveCall call = workspace.call();
  call.problem = problem_of(what, call.problem.me);
  require_runs(algorithm, call.problem);
  // Shared because std::function wants to be copied, which a plan must not be.
  const auto plan = std::make_shared<Plan>(build_schedule(algorithm, call.problem), call, comm);
  return {.run = [plan, input = workspace.input().data(), output = workspace.output().data()] {
    plan->run(input, output);
  }};
}

}  // namespace breakeven
