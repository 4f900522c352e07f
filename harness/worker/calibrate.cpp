// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <utility>
#include <vector>

#include "executor/mpi_error.hpp"
#include "executor/nodes.hpp"
#include "harness/worker/tasks.hpp"
#include "stats/median.hpp"

namespace breakeven::worker {

namespace {

constexpr int kCalibrationTag = 0;
constexpr std::size_t kShort = 8;               // bytes
constexpr std::size_t kLong = 64 * 1024;        // bytes
constexpr std::size_t kBeyondCaches = 8 << 20;  // bytes, of each rank, twice

/// Takes several time slices, so that a process that shares the core shows.
void multiply() {
  constexpr int kMultiplications = 15'000'000;  // that wait for each other: some 20 ms
  volatile std::uint64_t kept = 1;              // neither known to the compiler nor left out by it
  std::uint64_t product = kept;
  for (int i = 0; i < kMultiplications; ++i) product = product * 6364136223846793005U + 1;
  kept = product;
}

/// The mean time of the ranks' work, which all do at once.
template <typename Work>
Seconds time_of_all(const Work& work, const executor::Communicator& comm) {
  executor::check_mpi(MPI_Barrier(comm.get()), "MPI_Barrier");
  const double begin = MPI_Wtime();
  work();
  const double own = (MPI_Wtime() - begin) / comm.procs();
  double mean = 0;
  executor::check_mpi(MPI_Reduce(&own, &mean, 1, MPI_DOUBLE, MPI_SUM, 0, comm.get()), "MPI_Reduce");
  return {mean};
}

void send(const std::vector<char>& message, int to, const executor::Communicator& comm) {
  executor::check_mpi(MPI_Send(message.data(), static_cast<int>(message.size()), MPI_CHAR, to,
                               kCalibrationTag, comm.get()),
                      "MPI_Send");
}

void receive(std::vector<char>& message, int from, const executor::Communicator& comm) {
  executor::check_mpi(MPI_Recv(message.data(), static_cast<int>(message.size()), MPI_CHAR, from,
                               kCalibrationTag, comm.get(), MPI_STATUS_IGNORE),
                      "MPI_Recv");
}

/// Half of the median round trip, on rank 0; a message's first byte tells the partner to go on.
Seconds ping_pong(int partner, std::size_t bytes, const executor::Communicator& comm) {
  constexpr int kMostTrips = 400;
  constexpr double kMostTime = 0.02;  // seconds: on shared cores a trip takes a time slice
  std::vector<char> message(bytes, 1);
  std::vector<double> trips;
  if (comm.me().value == partner) {
    do {
      receive(message, 0, comm);
      send(message, 0, comm);
    } while (message[0] != 0);
  }
  if (comm.me().value != 0) return {};
  for (double spent = 0; message[0] != 0;) {
    if (trips.size() == kMostTrips || spent > kMostTime) message[0] = 0;
    const double begin = MPI_Wtime();
    send(message, partner, comm);
    receive(message, partner, comm);
    trips.push_back(MPI_Wtime() - begin);
    spent += trips.back();
  }
  return {stats::median(std::move(trips)) / 2};
}

}  // namespace

protocol::Calibrated calibrate(const executor::Communicator& comm) {
  protocol::Calibrated calibrated;
  Calibration& times = calibrated.times;
  times[Probe::arithmetic] = time_of_all(multiply, comm);
  const std::vector<char> source(kBeyondCaches, 1);
  std::vector<char> target(kBeyondCaches, 2);
  times[Probe::copy] = time_of_all(
      [&] {
        constexpr int kCopies = 24;
        for (int copy = 0; copy < kCopies; ++copy) {
          std::memcpy(target.data(), source.data(), target.size());
        }
      },
      comm);
  const std::vector<int> nodes = nodes_of_ranks(executor::found_layout(comm));
  const auto others = nodes.begin() + 1;
  const auto mate = std::find(others, nodes.end(), nodes.front());
  const auto stranger = std::find_if(others, nodes.end(), [&](int it) { return it != nodes[0]; });
  for (const auto& [partner, of_short, of_long] :
       {std::tuple{mate, Probe::ping_pong_short, Probe::ping_pong_long},
        {stranger, Probe::across_short, Probe::across_long}}) {
    if (partner == nodes.end()) continue;
    const auto rank = static_cast<int>(partner - nodes.begin());
    times[of_short] = ping_pong(rank, kShort, comm);
    times[of_long] = ping_pong(rank, kLong, comm);
  }
  return calibrated;
}

}  // namespace breakeven::worker
