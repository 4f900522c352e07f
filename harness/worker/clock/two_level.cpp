// SPDX-License-Identifier: BSD-3-Clause
// The first rank of each node learns the global clock by hca3. The others of the node read the same
// clock, from another moment on: they only need the difference of the two moments, which one
// message gives.
//
// Cost: ceil(log2 nodes) fits, one after another, and one broadcast within the node.
// Source: [hunold2018]
#include "executor/mpi_error.hpp"
#include "executor/nodes.hpp"
#include "harness/worker/clock/synchronise.hpp"

namespace breakeven::worker {

namespace {

/// The message of a node's first rank to the others.
struct Told {
  std::int64_t moment_ns = 0;  ///< on the node's CLOCK_MONOTONIC
  double reading = 0;          ///< of the first rank's own clock at that moment
  ClockModel model{};          ///< of that clock against rank 0's
};

}  // namespace

ClockModel synchronise_two_level(const LocalClock& local, const executor::Communicator& comm,
                                 MPI_Comm node_comm) {
  const executor::Communicator node{node_comm};
  const bool first = node.me() == Rank{0};
  MPI_Comm firsts_comm = MPI_COMM_NULL;
  executor::check_mpi(
      MPI_Comm_split(comm.get(), first ? 0 : MPI_UNDEFINED, comm.me().value, &firsts_comm),
      "MPI_Comm_split");
  Told told;
  if (first) {
    const executor::Communicator firsts{firsts_comm};
    executor::check_mpi(MPI_Comm_free(&firsts_comm), "MPI_Comm_free");
    told.model = synchronise_hca3(local, firsts);
    told.moment_ns = monotonic_ns();
    told.reading = local.at(told.moment_ns);
  }
  executor::check_mpi(MPI_Bcast(&told, sizeof told, MPI_BYTE, 0, node.get()), "MPI_Bcast");
  const ClockModel to_first{.slope = 0, .intercept = local.at(told.moment_ns) - told.reading};
  return chained(to_first, told.model);
}

ClockModel synchronise_two_level(const LocalClock& local, const executor::Communicator& comm) {
  MPI_Comm node = executor::split_by_node(comm);
  const ClockModel model = synchronise_two_level(local, comm, node);
  executor::check_mpi(MPI_Comm_free(&node), "MPI_Comm_free");
  return model;
}

}  // namespace breakeven::worker
