// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <functional>
#include <vector>

#include "core/op.hpp"
#include "harness/worker/workspace.hpp"

namespace breakeven::worker {

/// Counts and displacements of all blocks of a call's vector, as the irregular collectives want
/// them.
struct Blocks {
  std::vector<int> counts;
  std::vector<int> displacements;
  int own = 0;  ///< this rank's count
};

/// @throws UsageError where the displacements pass what MPI's int can count.
[[nodiscard]] Blocks blocks_of(const kernels::CollectiveCall& call);

/// The MPI library's own collective on the workspace's buffers, which must outlive the result.
/// Calling the result is collective and throws Error naming the MPI call that failed.
[[nodiscard]] std::function<void()> native_collective(Workspace& workspace, MPI_Comm comm);

/// The operation that the library's own collectives are given: the library's. On a simulated
/// machine whose reductions take time, one of ours that takes as long as those of our algorithms.
[[nodiscard]] MPI_Op native_op(Op op);

}  // namespace breakeven::worker
