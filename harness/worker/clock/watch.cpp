// SPDX-License-Identifier: BSD-3-Clause
#include <chrono>
#include <span>
#include <thread>
#include <vector>

#include "executor/mpi_error.hpp"
#include "executor/nodes.hpp"
#include "harness/worker/clock/offset.hpp"
#include "harness/worker/clock/synchronise.hpp"
#include "harness/worker/start/start.hpp"
#include "harness/worker/tasks.hpp"

namespace breakeven::worker {

namespace {

using Emit = std::function<void(const protocol::WorkerEvent&)>;

/// Collective. Whether all ranks are on one node, and so share a clock.
bool on_one_node(const executor::Communicator& comm) {
  return executor::node_mates(comm).count == comm.procs();
}

class Watch {
 public:
  Watch(Timer timer, const executor::Communicator& comm, const Emit& emit)
      : comm_{comm}, emit_{emit}, local_{timer}, on_one_node_{on_one_node(comm)} {}

  void synchronise(ClockSync method) {
    barrier(comm_);
    const double begin = local_.now();
    const GlobalClock clock = breakeven::worker::synchronise(method, local_, comm_);
    const double end = local_.now();
    double longest = end - begin;
    executor::check_mpi(MPI_Allreduce(MPI_IN_PLACE, &longest, 1, MPI_DOUBLE, MPI_MAX, comm_.get()),
                        "MPI_Allreduce");
    emit_(protocol::ClockSynced{.clock = method, .duration = {longest}});
    watched_.push_back({.method = method, .clock = clock, .synced = end});
    look(std::span{watched_}.last(1));
  }

  void look_for(Seconds duration) const {
    constexpr int kLooks = 20;
    const double begin = local_.now();
    for (int look_number = 1; duration.value > 0 && look_number <= kLooks; ++look_number) {
      const double due = begin + duration.value * look_number / kLooks;
      // The others wait for rank 0 to serve them.
      if (comm_.me() == Rank{0}) {
        std::this_thread::sleep_for(std::chrono::duration<double>{due - local_.now()});
      }
      look(watched_);
    }
  }

 private:
  struct Watched {
    ClockSync method;
    GlobalClock clock;
    double synced;  ///< on this rank's own clock
  };
  /// The message of each rank to rank 0 about one method.
  struct Report {
    double offset = 0;
    double round_trip = 0;
    double truth = 0;
  };

  void look(std::span<const Watched> watched) const {
    constexpr int kExchanges = 20;
    const GlobalClock own{local_};
    const OffsetReading reading =
        served_in_turn(own, comm_, [&] { return read_offset(own, Rank{0}, kExchanges, comm_); });
    const double theirs = reading.at - reading.offset;  // rank 0's time when this rank's was `at`
    for (const Watched& each : watched) {
      Report report{.offset = each.clock.global(reading.at) - theirs,
                    .round_trip = reading.round_trip};
      if (on_one_node_) report.truth = true_error(each.clock, monotonic_ns(), comm_);
      tell(each, report);
    }
  }

  void tell(const Watched& watched, const Report& own) const {
    constexpr int kReportDoubles = sizeof(Report) / sizeof(double);
    std::vector<Report> reports(static_cast<std::size_t>(comm_.procs()));
    executor::check_mpi(MPI_Gather(&own, kReportDoubles, MPI_DOUBLE, reports.data(), kReportDoubles,
                                   MPI_DOUBLE, 0, comm_.get()),
                        "MPI_Gather");
    const Seconds elapsed{local_.now() - watched.synced};
    for (int rank = 1; rank < comm_.procs(); ++rank) {
      const Report& report = reports[static_cast<std::size_t>(rank)];
      protocol::ClockOffset offset{.clock = watched.method,
                                   .rank = rank,
                                   .elapsed = elapsed,
                                   .offset = {report.offset},
                                   .round_trip = {report.round_trip},
                                   .truth = {}};
      if (on_one_node_) offset.truth = Seconds{report.truth};
      emit_(offset);
    }
  }

  const executor::Communicator& comm_;
  const Emit& emit_;
  LocalClock local_;
  bool on_one_node_;
  std::vector<Watched> watched_;
};

}  // namespace

void watch_clocks(const protocol::ClocksRequest& request, const executor::Communicator& comm,
                  const Emit& emit) {
  Watch watch{request.timer, comm, emit};
  for (const ClockSync method : request.clocks) watch.synchronise(method);
  watch.look_for(request.duration);
}

}  // namespace breakeven::worker
