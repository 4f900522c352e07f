// SPDX-License-Identifier: BSD-3-Clause
// Rank 0 exchanges messages with every rank in turn, which keeps its offset. No drift is learnt:
// the error grows with time.
//
// Cost: p - 1 turns of 50 exchanges.
// Source: [worsch2002]
#include "harness/worker/clock/offset.hpp"
#include "harness/worker/clock/synchronise.hpp"

namespace breakeven::worker {

ClockModel with_offset_in_turn(ClockModel model, const LocalClock& local,
                               const executor::Communicator& comm) {
  constexpr int kExchanges = 50;
  const GlobalClock rough{local, model};
  const OffsetReading left =
      served_in_turn(rough, comm, [&] { return read_offset(rough, Rank{0}, kExchanges, comm); });
  model.intercept += left.offset;
  return model;
}

ClockModel synchronise_skampi(const LocalClock& local, const executor::Communicator& comm) {
  return with_offset_in_turn({}, local, comm);
}

}  // namespace breakeven::worker
