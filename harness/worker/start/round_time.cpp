// SPDX-License-Identifier: BSD-3-Clause
#include <array>

#include "harness/worker/start/scheduled_start.hpp"
#include "harness/worker/start/start.hpp"

namespace breakeven::worker {

namespace {

/// Rank 0 announces the beginning of each repetition: as soon as the announcement will have arrived
/// everywhere. No repetition can be too long, and a late one makes no other late: a barrier comes
/// first.
/// @see [hunold2018]
class RoundTimeStart : public Start {
 public:
  RoundTimeStart(const executor::Communicator& comm, const GlobalClock& clock)
      : comm_{comm}, start_{comm, clock} {}

  void prepare(Seconds /*expected*/) override { start_.learn(); }

  bool wait() override {
    barrier(comm_);
    std::array<double, 1> begin{start_.clock().now() + start_.lead().value};
    start_.announce(begin);
    return start_.keep(begin.front()) == Kept::in_time;
  }

 private:
  const executor::Communicator& comm_;
  ScheduledStart start_;
};

}  // namespace

std::unique_ptr<Start> round_time_start(const executor::Communicator& comm,
                                        const GlobalClock& clock) {
  return std::make_unique<RoundTimeStart>(comm, clock);
}

}  // namespace breakeven::worker
