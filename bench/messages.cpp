// SPDX-License-Identifier: BSD-3-Clause
// Two ranks exchange messages in the forms between which plans choose by size: two runs of bytes by
// a datatype or by copies; a copy of what is sent before MPI_Sendrecv or while messages are under
// way. Printed are ratios of medians over rounds in which the forms take turns.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <functional>
#include <vector>

namespace {

using Buffer = std::vector<std::byte>;

struct Message {
  int bytes;
  int peer;
  MPI_Datatype runs;  ///< two halves with a gap of as many bytes
  Buffer from, into, room, arrival;

  void exchange(const std::byte* out, std::byte* in, int count, MPI_Datatype type) const {
    MPI_Sendrecv(out, count, type, peer, 0, in, count, type, peer, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
  void by_datatype() { exchange(from.data(), into.data(), 1, runs); }
  void by_copies() {
    const auto half = static_cast<std::size_t>(bytes) / 2;
    std::memcpy(room.data(), from.data(), half);
    std::memcpy(room.data() + half, from.data() + 2 * half, half);
    exchange(room.data(), arrival.data(), bytes, MPI_BYTE);
    std::memcpy(into.data(), arrival.data(), half);
    std::memcpy(into.data() + 2 * half, arrival.data() + half, half);
  }
  void copy_before() {
    std::memcpy(room.data(), from.data(), static_cast<std::size_t>(bytes));
    exchange(room.data(), into.data(), bytes, MPI_BYTE);
  }
  void copy_meanwhile() {
    std::array<MPI_Request, 2> requests{};
    MPI_Irecv(into.data(), bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(from.data(), bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD, &requests[1]);
    std::memcpy(room.data(), from.data(), static_cast<std::size_t>(bytes));
    MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
  }
};

double seconds_of(const std::function<void()>& form, int calls) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int i = 0; i < calls; ++i) form();
  double mine = MPI_Wtime() - begin;
  double slowest = 0;
  MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest / calls;
}

/// The time of one form over the other's.
double ratio(const std::function<void()>& one, const std::function<void()>& other, int calls) {
  std::array<std::vector<double>, 2> times;
  for (int round = 0; round < 101; ++round) {
    times[0].push_back(seconds_of(one, calls));
    times[1].push_back(seconds_of(other, calls));
  }
  for (auto& each : times) std::nth_element(each.begin(), each.begin() + 50, each.end());
  return times[0][50] / times[1][50];
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int me = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  if (me == 0) std::puts("   bytes  datatype / copies  copy meanwhile / before");
  for (int bytes = 64; me < 2 && bytes <= 1 << 20; bytes *= 4) {
    const auto size = static_cast<std::size_t>(bytes);
    Message message{
        bytes,        1 - me,      MPI_DATATYPE_NULL, Buffer(2 * size), Buffer(2 * size),
        Buffer(size), Buffer(size)};
    MPI_Type_vector(2, bytes / 2, bytes, MPI_BYTE, &message.runs);
    MPI_Type_commit(&message.runs);
    const int calls = bytes < 1 << 16 ? 20 : 1;
    const double runs = ratio([&] { message.by_datatype(); }, [&] { message.by_copies(); }, calls);
    const double overlap =
        ratio([&] { message.copy_meanwhile(); }, [&] { message.copy_before(); }, calls);
    if (me == 0) std::printf("%8d  %17.2f  %23.2f\n", bytes, runs, overlap);
    MPI_Type_free(&message.runs);
  }
  MPI_Finalize();
}
