// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <functional>
#include <memory>

#include "core/case.hpp"
#include "executor/communicator.hpp"
#include "harness/worker/workspace.hpp"
#include "libraries/forced/bound_choice.hpp"

namespace breakeven::worker {

/// A case, ready to be called.
struct BoundCandidate {
  forced::BoundChoice choice{};  ///< forced() must be enforced around all measured calls
  /// Collective. Starts a call and completes it. It does not force an algorithm of the library's
  /// own.
  std::function<void()> run{};
  // Of calls that return before they are complete; empty: of blocking ones.
  std::function<void()> start{};
  std::function<bool()> test{};  ///< of the call that was started: whether it is complete
  std::function<void()> wait{};
  std::function<void()> make{};  ///< makes one more persistent call, and frees it
  std::shared_ptr<const executor::Communicator> comm{};  ///< if it has one of its own
  bool has_result = true;  ///< the collective's; a pattern of messages has none
};

/// Collective over `comm`. One call of the case's algorithm, of the library's own collective or of
/// one of its algorithms, in the case's form, on the workspace's buffers, which must outlive the
/// result. Nothing is ever substituted.
/// @param beside_tuned  the problem is also solved with a table in force, so that native stands for
///                      the default
/// @throws UsageError when the case names an unknown algorithm or parameter, or one that cannot run
///         at this p, or that the library would replace by another, or a form that the library
///         lacks.
/// @throws Error when the algorithm's schedule cannot be bound to the buffers.
[[nodiscard]] BoundCandidate bind_candidate(const Case& what, Workspace& workspace, MPI_Comm comm,
                                            bool beside_tuned);

/// The operation that the library's own collectives get: the library's. On a simulated machine
/// whose reductions take time, one of ours that takes as long as those of our algorithms.
[[nodiscard]] MPI_Op native_op(Op op);

}  // namespace breakeven::worker
