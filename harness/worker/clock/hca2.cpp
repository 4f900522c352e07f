// SPDX-License-Identifier: BSD-3-Clause
// Offsets and drifts are learnt along a binomial tree from its leaves to its root. In the round of
// distance d = 1, 2, 4, ... each rank r that is an odd multiple of d fits a line against the own
// clock of rank r - d, all pairs at once; then it hands over the models of its subtree, chained to
// its own. In the end rank 0 has all of them and scatters them.
//
//     0 <- 1   2 <- 3   4 <- 5     d = 1
//     0 <----- 2        4          d = 2
//     0 <-------------- 4          d = 4
//
// Cost: ceil(log2 p) fits, one after another.
// Source: [hunold2018]
#include <algorithm>
#include <vector>

#include "executor/mpi_error.hpp"
#include "harness/worker/clock/offset.hpp"
#include "harness/worker/clock/synchronise.hpp"

namespace breakeven::worker {

namespace {

constexpr int kModelsTag = 1;
constexpr int kDoubles = sizeof(ClockModel) / sizeof(double);  // of a model, as a message
static_assert(sizeof(ClockModel) == kDoubles * sizeof(double));

/// The models of a subtree against the clock of its root, in the order of ranks.
using Models = std::vector<ClockModel>;

int doubles(std::size_t models) { return kDoubles * static_cast<int>(models); }

/// Hands over the subtree's models, chained to `up`, its root's against the parent.
void hand_over(Models models, const ClockModel& up, Rank parent,
               const executor::Communicator& comm) {
  for (ClockModel& model : models) model = chained(model, up);
  executor::check_mpi(MPI_Send(models.data(), doubles(models.size()), MPI_DOUBLE, parent.value,
                               kModelsTag, comm.get()),
                      "MPI_Send");
}

/// Adds the models that `child` hands over, one for each of its `ranks`.
void take_over(Models& models, std::size_t ranks, Rank child, const executor::Communicator& comm) {
  const std::size_t own = models.size();
  models.resize(own + ranks);
  executor::check_mpi(MPI_Recv(&models[own], doubles(ranks), MPI_DOUBLE, child.value, kModelsTag,
                               comm.get(), MPI_STATUS_IGNORE),
                      "MPI_Recv");
}

}  // namespace

ClockModel synchronise_hca2(const LocalClock& local, const executor::Communicator& comm) {
  const GlobalClock own{local};
  const int me = comm.me().value;
  Models models{ClockModel{}};  // a root agrees with itself
  for (int distance = 1; distance < comm.procs(); distance *= 2) {
    if (me % (2 * distance) == distance) {
      const Rank parent{me - distance};
      const ClockModel up = served_by(parent, comm, [&] { return learn_model(own, parent, comm); });
      hand_over(models, up, parent, comm);
      break;
    }
    const Rank child{me + distance};
    if (child.value >= comm.procs()) continue;
    serve_time(own, child, comm);
    const int ranks = std::min(distance, comm.procs() - child.value);
    take_over(models, static_cast<std::size_t>(ranks), child, comm);
  }
  ClockModel mine;
  executor::check_mpi(
      MPI_Scatter(models.data(), kDoubles, MPI_DOUBLE, &mine, kDoubles, MPI_DOUBLE, 0, comm.get()),
      "MPI_Scatter");
  return mine;
}

}  // namespace breakeven::worker
