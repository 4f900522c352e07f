// SPDX-License-Identifier: BSD-3-Clause
// Along a binomial tree from its root to its leaves: each rank fits a line to its offset against a
// rank that has learnt the global clock already, and serves others with it from then on. No models
// are chained, so none grow old before they are used.
//
//     0 --------------> 4          distance 4
//     0 -----> 2        4          distance 2
//     0 -> 1   2 -> 3   4 -> 5     distance 1
//
// Cost: ceil(log2 p) fits, one after another.
// Source: [hunold2018]
#include <bit>

#include "harness/worker/clock/offset.hpp"
#include "harness/worker/clock/synchronise.hpp"

namespace breakeven::worker {

ClockModel synchronise_hca3(const LocalClock& local, const executor::Communicator& comm) {
  const int me = comm.me().value;
  GlobalClock clock{local};
  const auto procs = static_cast<unsigned>(comm.procs());
  for (int distance = static_cast<int>(std::bit_ceil(procs)) / 2; distance > 0; distance /= 2) {
    if (me % (2 * distance) == distance) {
      const Rank parent{me - distance};
      const GlobalClock own{local};
      clock = {local, served_by(parent, comm, [&] { return learn_model(own, parent, comm); })};
    } else if (me % (2 * distance) == 0 && me + distance < comm.procs()) {
      serve_time(clock, Rank{me + distance}, comm);
    }
  }
  return clock.model();
}

}  // namespace breakeven::worker
