// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "executor/chosen_variant.hpp"
#include "executor/mpi_call.hpp"
#include "executor/plan.hpp"

namespace breakeven::executor {

/// @throws UsageError when the call's root is none of the ranks; 0 where it has none.
void require_root(const MpiCall& call, int procs);

/// Whether operands stay in rank order where the call's operation needs that.
[[nodiscard]] bool keeps_order(const ChosenVariant& choice, const MpiCall& call);

/// The plan by which an algorithm of the catalogue performs an MPI collective. Collective over the
/// call's communicator; all ranks choose alike.
///
/// The first call of its kind makes it, and it stays with the communicator at least until
/// freed_handles() changes; another call with the same arguments but other buffers finds it. A
/// gatherv or scatterv by an algorithm in which ranks pass on the shares of others is preceded by a
/// broadcast of the shares' sizes.
///
/// @throws UsageError in one line when the algorithm can't run so, does not keep the order that the
///         operation needs, or when the arguments are not those of a valid call.
/// @throws MpiError naming the MPI call that failed.
[[nodiscard]] std::shared_ptr<Plan> plan_of(const ChosenVariant& choice, const MpiCall& call);

}  // namespace breakeven::executor
