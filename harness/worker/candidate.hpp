// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <functional>

#include "core/case.hpp"
#include "harness/worker/workspace.hpp"

namespace breakeven {

/// One call of the case's algorithm, or of the library's own collective, on the workspace's
/// buffers, which must outlive the result; calling the result is collective. Nothing is ever
/// substituted.
/// @throws UsageError when the case names an unknown algorithm or parameter, or one that cannot run
///         on so many processes.
/// @throws Error when the algorithm's schedule cannot be bound to the buffers.
[[nodiscard]] std::function<void()> bind_candidate(const Case& what, Workspace& workspace,
                                                   MPI_Comm comm);

}  // namespace breakeven
