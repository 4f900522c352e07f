// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/start/start.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "harness/worker/start/methods.hpp"

namespace breakeven {

void Start::prepare(Seconds /*expected*/) {}

bool Start::in_time(double /*end*/) { return true; }

std::unique_ptr<Start> make_start(SyncMethod method, const Communicator& comm,
                                  const GlobalClock& clock) {
  if (needs_clock(method) && !clock.synchronised()) {
    throw UsageError(
        fmt::format("sync '{}' needs a global clock, and clock sync '{}' is none; possible: {}",
                    kSyncMethods.of(method), kClockSyncs.of(ClockSync::none),
                    "another clock, or start dissemination or library"));
  }
  switch (method) {
    case SyncMethod::dissemination: return dissemination_start(comm);
    case SyncMethod::library: return library_start(comm);
    case SyncMethod::window: return window_start(comm, clock);
    case SyncMethod::round_time: return round_time_start(comm, clock);
  }
  throw Error("no such start");
}

}  // namespace breakeven
