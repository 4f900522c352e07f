// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/start/start.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "harness/worker/start/methods.hpp"

namespace breakeven {

void Start::prepare(Seconds /*expected*/) {}

bool Start::in_time(double /*end*/) { return true; }

std::unique_ptr<Start> make_start(StartMethod method, const Communicator& comm,
                                  const GlobalClock& clock) {
  if (needs_clock(method) && !clock.synchronised()) {
    throw UsageError(
        fmt::format("start '{}' needs a synchronised clock, and clock '{}' is none; possible: {}",
                    kStartMethods.of(method), kClockMethods.of(ClockMethod::none),
                    "another clock, or start dissemination or library"));
  }
  switch (method) {
    case StartMethod::dissemination: return dissemination_start(comm);
    case StartMethod::library: return library_start(comm);
    case StartMethod::window: return window_start(comm, clock);
    case StartMethod::round_time: return round_time_start(comm, clock);
  }
  throw Error("no such start");
}

}  // namespace breakeven
