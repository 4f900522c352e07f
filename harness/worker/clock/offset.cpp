// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/clock/offset.hpp"

#include <limits>

#include "executor/mpi_error.hpp"

namespace breakeven::worker {

namespace {

constexpr int kTag = 0;

enum Wish : int { time_please, no_more };

void send_wish(Wish wish, Rank server, const executor::Communicator& comm) {
  const int value = wish;
  executor::check_mpi(MPI_Send(&value, 1, MPI_INT, server.value, kTag, comm.get()), "MPI_Send");
}

/// The server's time.
double ask_time(Rank server, const executor::Communicator& comm) {
  double time = 0;
  send_wish(time_please, server, comm);
  executor::check_mpi(
      MPI_Recv(&time, 1, MPI_DOUBLE, server.value, kTag, comm.get(), MPI_STATUS_IGNORE),
      "MPI_Recv");
  return time;
}

}  // namespace

void serve_time(const GlobalClock& clock, Rank client, const executor::Communicator& comm) {
  for (;;) {
    int wish = no_more;
    executor::check_mpi(
        MPI_Recv(&wish, 1, MPI_INT, client.value, kTag, comm.get(), MPI_STATUS_IGNORE), "MPI_Recv");
    if (wish == no_more) return;
    const double now = clock.now();
    executor::check_mpi(MPI_Send(&now, 1, MPI_DOUBLE, client.value, kTag, comm.get()), "MPI_Send");
  }
}

OffsetReading read_offset(const GlobalClock& clock, Rank server, int exchanges,
                          const executor::Communicator& comm) {
  OffsetReading quickest{.round_trip = std::numeric_limits<double>::infinity()};
  for (int exchange = 0; exchange < exchanges; ++exchange) {
    const double sent = clock.now();
    const double theirs = ask_time(server, comm);
    const double received = clock.now();
    if (received - sent >= quickest.round_trip) continue;
    const double at = sent + (received - sent) / 2;
    quickest = {.at = at, .offset = at - theirs, .round_trip = received - sent};
  }
  return quickest;
}

void await_service(Rank server, const executor::Communicator& comm) {
  static_cast<void>(ask_time(server, comm));
}

void dismiss(Rank server, const executor::Communicator& comm) { send_wish(no_more, server, comm); }

double true_error(const GlobalClock& clock, std::int64_t moment_ns,
                  const executor::Communicator& comm) {
  executor::check_mpi(MPI_Bcast(&moment_ns, 1, MPI_INT64_T, 0, comm.get()), "MPI_Bcast");
  const double own = clock.global(clock.local_clock().at(moment_ns));
  double right = own;
  executor::check_mpi(MPI_Bcast(&right, 1, MPI_DOUBLE, 0, comm.get()), "MPI_Bcast");
  return own - right;
}

}  // namespace breakeven::worker
