// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <functional>

#include "harness/worker/workspace.hpp"

namespace breakeven {

/// The MPI library's own collective on the workspace's buffers, which must outlive the result.
/// Calling the result is collective and throws Error naming the MPI call that failed.
[[nodiscard]] std::function<void()> native_collective(Workspace& workspace, MPI_Comm comm);

}  // namespace breakeven
