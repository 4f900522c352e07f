// SPDX-License-Identifier: BSD-3-Clause
#include "executor/execution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/error.hpp"
#include "executor/mpi_error.hpp"

namespace breakeven {

namespace {

constexpr int kTag = 0;

void require_fit(const Problem& problem, MPI_Comm comm) {
  int procs = 0;
  int me = 0;
  check_mpi(MPI_Comm_size(comm, &procs), "MPI_Comm_size");
  check_mpi(MPI_Comm_rank(comm, &me), "MPI_Comm_rank");
  if (procs == problem.procs && me == problem.me.value) return;
  throw Error(fmt::format("a schedule for rank {} of {} can't run as rank {} of {}",
                          problem.me.value, problem.procs, me, procs));
}

}  // namespace

Execution::Execution(const Schedule& schedule, const CollectiveCall& call,
                     std::span<const std::byte> input, std::span<std::byte> output, MPI_Comm comm)
    : bound_(bind_schedule(schedule, call, input, output)), comm_(comm) {
  require_fit(call.problem, comm);
  std::size_t busiest = 0;
  for (const BoundRound& round : bound_.rounds) {
    busiest = std::max(busiest, round.recvs.size() + round.sends.size());
  }
  requests_.resize(busiest, MPI_REQUEST_NULL);
}

void Execution::run() {
  for (const BoundRound& round : bound_.rounds) {
    exchange(round);
    for (const auto& step : round.local) {
      std::visit([this](const auto& local) { perform(local); }, step);
    }
  }
}

void Execution::exchange(const BoundRound& round) {
  MPI_Request* request = requests_.data();
  for (const auto& [into, bytes, source] : round.recvs) {
    check_mpi(MPI_Irecv(into, bytes, MPI_BYTE, source, kTag, comm_, request++), "MPI_Irecv");
  }
  for (const auto& [from, bytes, to] : round.sends) {
    check_mpi(MPI_Isend(from, bytes, MPI_BYTE, to, kTag, comm_, request++), "MPI_Isend");
  }
  const auto posted = static_cast<int>(request - requests_.data());
  if (posted == 0) return;
  check_mpi(MPI_Waitall(posted, requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
}

void Execution::perform(const BoundCopy& copy) const {
  // Not std::ranges::copy, which GCC 12 turns into a byte loop on std::byte.
  std::memcpy(copy.into, copy.from, copy.bytes);
}

void Execution::perform(const BoundReduce& reduce) const {
  bound_.reduce(reduce.a, reduce.b, reduce.into, reduce.elements);
}

}  // namespace breakeven
