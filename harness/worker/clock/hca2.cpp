// SPDX-License-Identifier: BSD-3-Clause
// Offsets and drifts are learnt along a binomial tree, all pairs of a round at once, and chained on
// the way to its root.
//
// Cost: ceil(log2 p) fits, one after another.
// Source: Hunold, Carpen-Amarie, "Hierarchical clock synchronization in MPI", CLUSTER 2018
#include "harness/worker/clock/methods.hpp"
#include "harness/worker/clock/tree.hpp"

namespace breakeven {

ClockModel synchronise_hca2(const LocalClock& local, const Communicator& comm) {
  return merged_tree_model(local, comm);
}

}  // namespace breakeven
