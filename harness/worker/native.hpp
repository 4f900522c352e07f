// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <functional>

#include "core/op.hpp"
#include "harness/worker/workspace.hpp"

namespace breakeven::worker {

/// The MPI library's own collective on the workspace's buffers, which must outlive the result.
/// Calling the result is collective and throws Error naming the MPI call that failed.
[[nodiscard]] std::function<void()> native_collective(Workspace& workspace, MPI_Comm comm);

/// The operation that the library's own collectives are given: the library's. On a simulated
/// machine whose reductions take time, one of ours that takes as long as those of our algorithms.
[[nodiscard]] MPI_Op native_op(Op op);

}  // namespace breakeven::worker
