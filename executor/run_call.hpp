// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "executor/chosen_variant.hpp"
#include "executor/mpi_call.hpp"

namespace breakeven::executor {

/// Performs an MPI collective by an algorithm of the catalogue. Collective over the call's
/// communicator; all ranks choose alike.
///
/// The first call of its kind makes a plan, which stays with the communicator; another one with the
/// same arguments but other buffers finds it. A gatherv or scatterv by an algorithm in which ranks
/// pass on the shares of others is preceded by a broadcast of the shares' sizes.
///
/// @throws UsageError in one line when the algorithm can't run so, does not keep the order that the
///         operation needs, or when the arguments are not those of a valid call.
/// @throws Error naming the MPI call that failed.
void run_call(const ChosenVariant& choice, const MpiCall& call);

}  // namespace breakeven::executor
