// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/clock/offset.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>
#include <vector>

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

constexpr double kLeastRoundTrip = 1e-9;  // the resolution of a clock

double weight(const OffsetReading& reading) {
  const double uncertainty = std::max(reading.round_trip, kLeastRoundTrip);
  return 1 / (uncertainty * uncertainty);
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

ClockModel fit_line(std::span<const OffsetReading> readings) {
  double total = 0;
  double at = 0;
  double offset = 0;
  for (const OffsetReading& reading : readings) {
    total += weight(reading);
    at += weight(reading) * reading.at;
    offset += weight(reading) * reading.offset;
  }
  at /= total;
  offset /= total;
  // About the means: far from the clock's origin, sums of squares would lose the spread.
  double spread = 0;
  double common = 0;
  for (const OffsetReading& reading : readings) {
    spread += weight(reading) * (reading.at - at) * (reading.at - at);
    common += weight(reading) * (reading.at - at) * (reading.offset - offset);
  }
  const double slope = common / spread;
  return {.slope = slope, .intercept = offset - slope * at};
}

ClockModel learn_model(const GlobalClock& clock, Rank server, const executor::Communicator& comm) {
  constexpr int kReadings = 100;
  constexpr std::size_t kLeast = 10;
  constexpr int kExchanges = 5;  // for a reading
  constexpr double kTime = 0.2;
  std::vector<OffsetReading> readings;
  const double begin = clock.now();
  for (int reading = 0; reading < kReadings; ++reading) {
    const double due = begin + kTime * reading / kReadings;
    const double now = clock.now();
    if (now < due) std::this_thread::sleep_for(std::chrono::duration<double>{due - now});
    if (readings.size() >= kLeast && now > begin + kTime) break;
    readings.push_back(read_offset(clock, server, kExchanges, comm));
  }
  return fit_line(readings);
}

double true_error(const GlobalClock& clock, std::int64_t moment_ns,
                  const executor::Communicator& comm) {
  executor::check_mpi(MPI_Bcast(&moment_ns, 1, MPI_INT64_T, 0, comm.get()), "MPI_Bcast");
  const double own = clock.global(clock.local_clock().at(moment_ns));
  double right = own;
  executor::check_mpi(MPI_Bcast(&right, 1, MPI_DOUBLE, 0, comm.get()), "MPI_Bcast");
  return own - right;
}

}  // namespace breakeven::worker
