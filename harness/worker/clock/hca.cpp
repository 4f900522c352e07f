// SPDX-License-Identifier: BSD-3-Clause
// Drifts are learnt along a binomial tree, all pairs of a round at once, and chained; then rank 0
// exchanges messages with every rank in turn, which measures its offset anew, because the errors of
// chained offsets add up.
//
// Cost: ceil(log2 p) fits, one after another, and p - 1 turns of 50 exchanges.
// Source: [hunold2015]
#include "harness/worker/clock/synchronise.hpp"

namespace breakeven::worker {

ClockModel synchronise_hca(const LocalClock& local, const executor::Communicator& comm) {
  return with_offset_in_turn(synchronise_hca2(local, comm), local, comm);
}

}  // namespace breakeven::worker
