// SPDX-License-Identifier: BSD-3-Clause
#include <array>

#include "harness/worker/start/appointment.hpp"
#include "harness/worker/start/barrier.hpp"

namespace breakeven {

namespace {

/// Rank 0 announces before each repetition when it begins: as soon as the announcement will have
/// arrived everywhere. No repetition can be too long for it, and a late one makes no other late: a
/// barrier comes first.
/// @see Hunold, Carpen-Amarie, "Hierarchical clock synchronization in MPI", CLUSTER 2018
class RoundTimeStart : public Start {
 public:
  RoundTimeStart(const Communicator& comm, const GlobalClock& clock)
      : comm_{comm}, appointment_{comm, clock} {}

  void prepare(Seconds /*expected*/) override { appointment_.learn(); }

  bool wait() override {
    barrier(comm_);
    std::array<double, 1> begin{appointment_.clock().now() + appointment_.lead().value};
    appointment_.announce(begin);
    return appointment_.keep(begin.front()) == Kept::in_time;
  }

 private:
  const Communicator& comm_;
  Appointment appointment_;
};

}  // namespace

std::unique_ptr<Start> round_time_start(const Communicator& comm, const GlobalClock& clock) {
  return std::make_unique<RoundTimeStart>(comm, clock);
}

}  // namespace breakeven
