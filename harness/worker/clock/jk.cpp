// SPDX-License-Identifier: BSD-3-Clause
// Rank 0 exchanges messages with every rank in turn, which fits a line to its offset: the most
// accurate, as nothing comes between a rank and rank 0, and the slowest.
//
// Cost: p - 1 fits, one after another.
// Source: [jones2013]
#include "harness/worker/clock/offset.hpp"
#include "harness/worker/clock/synchronise.hpp"

namespace breakeven::worker {

ClockModel synchronise_jk(const LocalClock& local, const executor::Communicator& comm) {
  const GlobalClock own{local};
  return served_in_turn(own, comm, [&] { return learn_model(own, Rank{0}, comm); });
}

}  // namespace breakeven::worker
