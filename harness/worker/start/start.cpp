// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/start/start.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "executor/mpi_error.hpp"
#include "harness/worker/start/scheduled_start.hpp"

namespace breakeven::worker {

namespace {

/// Begins when this rank leaves a barrier: never late, but as uneven as the barrier leaves ranks.
class BarrierStart : public Start {
 public:
  using Barrier = void (*)(const executor::Communicator& comm);
  BarrierStart(const executor::Communicator& comm, Barrier meet) : comm_{comm}, meet_{meet} {}

  bool wait() override {
    meet_(comm_);
    return true;
  }

 private:
  const executor::Communicator& comm_;
  Barrier meet_;
};

/// The start of most benchmarks, for comparisons with their figures.
void library_barrier(const executor::Communicator& comm) {
  executor::check_mpi(MPI_Barrier(comm.get()), "MPI_Barrier");
}

}  // namespace

void barrier(const executor::Communicator& comm) {
  const int procs = comm.procs();
  const int me = comm.me().value;
  for (int distance = 1; distance < procs; distance *= 2) {
    executor::check_mpi(
        MPI_Sendrecv(nullptr, 0, MPI_BYTE, (me + distance) % procs, 0, nullptr, 0, MPI_BYTE,
                     (me - distance + procs) % procs, 0, comm.get(), MPI_STATUS_IGNORE),
        "MPI_Sendrecv");
  }
}

void Start::prepare(Seconds /*expected*/) {}

bool Start::in_time(double /*end*/) { return true; }

std::unique_ptr<Start> make_start(SyncMethod method, const executor::Communicator& comm,
                                  const GlobalClock& clock) {
  if (needs_clock(method) && !clock.synchronised()) {
    throw UsageError(
        fmt::format("--sync {} needs a global clock: another --clock-sync than {}, or --sync "
                    "dissemination or library",
                    kSyncMethods.of(method), kClockSyncs.of(ClockSync::none)));
  }
  switch (method) {
    case SyncMethod::dissemination: return std::make_unique<BarrierStart>(comm, barrier);
    case SyncMethod::library: return std::make_unique<BarrierStart>(comm, library_barrier);
    case SyncMethod::window: return window_start(comm, clock);
    case SyncMethod::round_time: return round_time_start(comm, clock);
  }
  throw Error("no such start");
}

}  // namespace breakeven::worker
