// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/start/scheduled_start.hpp"

#include <unistd.h>

#include <array>
#include <numeric>

#include "executor/mpi_error.hpp"
#include "executor/nodes.hpp"
#include "harness/worker/start/start.hpp"
#include "stats/median.hpp"

namespace breakeven::worker {

ScheduledStart::ScheduledStart(const executor::Communicator& comm, const GlobalClock& clock)
    : comm_{comm},
      clock_{clock},
      cores_are_shared_{executor::node_mates(comm).count > sysconf(_SC_NPROCESSORS_ONLN)} {
  constexpr int kAnnouncements = 20;
  std::array<double, kAnnouncements> own{};
  std::array<double, kAnnouncements> slowest{};
  for (double& taken : own) {
    barrier(comm);
    std::array<double, 1> sent{clock.now()};
    announce(sent);
    taken = clock.now() - sent.front();
  }
  executor::check_mpi(
      MPI_Allreduce(own.data(), slowest.data(), kAnnouncements, MPI_DOUBLE, MPI_MAX, comm.get()),
      "MPI_Allreduce");
  announcement_ = {stats::median({slowest.begin(), slowest.end()})};
}

void ScheduledStart::announce(std::span<double> values) const {
  executor::check_mpi(
      MPI_Bcast(values.data(), static_cast<int>(values.size()), MPI_DOUBLE, 0, comm_.get()),
      "MPI_Bcast");
}

Kept ScheduledStart::keep(double global) {
  const LocalClock& local = clock_.local_clock();
  const double begin = clock_.local(global);
  const double end = begin + tolerance_margin_.factor() * announcement_.value;
  double now = local.now();
  Kept kept = now > end ? Kept::arrived_late : Kept::in_time;
  while (now < begin) {
    yield_core({begin - now}, cores_are_shared_);
    now = local.now();
  }
  if (kept == Kept::in_time && now > end) kept = Kept::left_late;
  ++count(kept);
  return kept;
}

void ScheduledStart::learn() {
  const int taken = std::accumulate(kept_.begin(), kept_.end(), 0);
  kept_ = most(kept_, comm_);
  lead_margin_.learn(count(Kept::arrived_late), taken);
  tolerance_margin_.learn(count(Kept::left_late), taken);
  kept_ = {};
}

}  // namespace breakeven::worker
