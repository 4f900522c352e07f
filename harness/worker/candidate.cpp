// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/candidate.hpp"

#include <fmt/format.h>

#include <memory>

#include "core/error.hpp"
#include "executor/execution.hpp"
#include "harness/worker/native.hpp"
#include "kernels/catalogue.hpp"

namespace breakeven {

std::function<void()> bind_candidate(const Case& what, Workspace& workspace, MPI_Comm comm) {
  if (!what.params.empty()) {
    throw UsageError(fmt::format("{}/{} takes no parameters, asked: {}",
                                 kCollectives.of(what.collective), what.algorithm, what.params));
  }
  if (what.algorithm == kNative) return native_collective(workspace, comm);
  const Algorithm& algorithm = find_algorithm(what.collective, what.algorithm);
  require_procs(what.collective, algorithm, what.procs);
  const CollectiveCall& call = workspace.call();
  // Shared because std::function wants to be copied, which an execution must not be.
  const auto execution = std::make_shared<Execution>(algorithm.build(call.problem), call,
                                                     workspace.input(), workspace.output(), comm);
  return [execution] { execution->run(); };
}

}  // namespace breakeven
