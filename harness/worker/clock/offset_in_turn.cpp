// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/clock/offset_in_turn.hpp"

#include "harness/worker/clock/offset.hpp"

namespace breakeven {

ClockModel with_offset_in_turn(ClockModel model, const LocalClock& local,
                               const Communicator& comm) {
  constexpr int kExchanges = 50;
  const GlobalClock rough{local, model};
  const OffsetReading left =
      served_in_turn(rough, comm, [&] { return read_offset(rough, Rank{0}, kExchanges, comm); });
  model.intercept += left.offset;
  return model;
}

}  // namespace breakeven
