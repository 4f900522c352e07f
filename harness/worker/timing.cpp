// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/timing.hpp"

#include <algorithm>

#include "executor/mpi_error.hpp"
#include "harness/worker/clock/synchronise.hpp"

namespace breakeven::worker {

namespace {

/// Collective. The values of all ranks, one by one, at rank 0.
std::vector<double> reduced(const std::vector<double>& own, MPI_Op op,
                            const executor::Communicator& comm) {
  std::vector<double> result(comm.me() == Rank{0} ? own.size() : 0);
  executor::check_mpi(MPI_Reduce(own.data(), result.data(), static_cast<int>(own.size()),
                                 MPI_DOUBLE, op, 0, comm.get()),
                      "MPI_Reduce");
  return result;
}

/// Collective. Which repetitions are valid at every rank.
std::vector<char> agreed(std::vector<char> valid, const executor::Communicator& comm) {
  executor::check_mpi(MPI_Allreduce(MPI_IN_PLACE, valid.data(), static_cast<int>(valid.size()),
                                    MPI_CHAR, MPI_MIN, comm.get()),
                      "MPI_Allreduce");
  return valid;
}

void append_to(std::vector<double>& values, const std::vector<double>& more) {
  values.insert(values.end(), more.begin(), more.end());
}

void drop_first_of(std::vector<double>& values, std::size_t count) {
  values.erase(values.begin(), values.begin() + static_cast<long>(std::min(count, values.size())));
}

}  // namespace

void Repetitions::append(const Repetitions& more) {
  append_to(own, more.own);
  append_to(local, more.local);
  append_to(global, more.global);
}

void Repetitions::drop_first(std::size_t count) {
  drop_first_of(own, count);
  drop_first_of(local, count);
  drop_first_of(global, count);
}

Timing::Timing(const protocol::MeasurePlan& plan, const executor::Communicator& control)
    : control_{control},
      local_{plan.timer},
      clock_{synchronise(plan.clock_sync, local_, control)},
      start_{make_start(plan.sync, control, clock_)} {}

Repetitions Timing::repeat(int count, Seconds expected, const Repetition& repetition) {
  const auto size = static_cast<std::size_t>(count);
  std::vector<double> begin(size);
  std::vector<double> end(size);
  std::vector<char> valid(size);
  start_->prepare(expected);
  double work = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const double ready = local_.now();
    repetition.before();
    work += local_.now() - ready;
    const bool began = start_->wait();
    begin[i] = local_.now();
    repetition.run();
    end[i] = local_.now();
    repetition.after();
    work += end[i] - begin[i];
    valid[i] = began && start_->in_time(end[i]) ? 1 : 0;
  }
  work_ = {work / count};
  valid = agreed(std::move(valid), control_);
  Repetitions kept;
  std::vector<double> global_begin;
  std::vector<double> global_end;
  for (std::size_t i = 0; i < size; ++i) {
    if (valid[i] == 0) continue;
    kept.own.push_back(end[i] - begin[i]);
    global_begin.push_back(clock_.global(begin[i]));
    global_end.push_back(clock_.global(end[i]));
  }
  kept.local = reduced(kept.own, MPI_MAX, control_);
  if (!clock_.synchronised()) return kept;
  const std::vector<double> first = reduced(global_begin, MPI_MIN, control_);
  kept.global = reduced(global_end, MPI_MAX, control_);
  for (std::size_t i = 0; i < kept.global.size(); ++i) kept.global[i] -= first[i];
  return kept;
}

}  // namespace breakeven::worker
