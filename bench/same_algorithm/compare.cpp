// SPDX-License-Identifier: BSD-3-Clause
#include "bench/same_algorithm/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "executor/mpi_error.hpp"
#include "harness/shuffle.hpp"
#include "harness/worker/agree.hpp"
#include "harness/worker/candidate.hpp"
#include "harness/worker/start/barrier.hpp"
#include "harness/worker/workspace.hpp"

namespace breakeven::bench {

namespace {

constexpr int kLibrarysChoice = 0;  // of every algorithm variable, in both libraries
constexpr Seconds kBlock{5e-3};     // time for one side's calls in a round
constexpr int kFewestCalls = 5;
constexpr int kMostCalls = 200;
constexpr int kWarmups = 2;

/// One of both, with the number that its algorithm variable must have while it runs.
struct Side {
  std::string_view name;
  int number = kLibrarysChoice;
  std::function<void()> run{};
  std::vector<double> durations{};  ///< of each call of each round, in seconds
};

class Contest {
 public:
  Contest(const Case& ours, ControlVariable& variable, int forced, const Communicator& comm)
      : comm_{comm},
        variable_{variable},
        workspace_{ours, comm.procs(), comm.me()},
        our_comm_{comm.get()},
        library_comm_{made_while(forced)} {
    Case native = ours;
    native.algorithm = kNative;
    native.params.clear();
    sides_[0] = {.name = "ours", .run = bind_candidate(ours, workspace_, our_comm_.get()).run};
    sides_[1] = {.name = "the library",
                 .number = forced,
                 .run = bind_candidate(native, workspace_, library_comm_.get()).run};
    variable_.write(kLibrarysChoice);
  }

  Comparison hold(int rounds) {
    check_data();
    const int calls = calls_in_block();
    std::vector<Side*> order{&sides_[0], &sides_[1]};
    for (int round = 0; round < rounds; ++round) {
      shuffle(order, static_cast<std::uint64_t>(round));
      for (Side* side : order) take_block(*side, calls);
    }
    check_data();
    return result(rounds, calls);
  }

 private:
  /// Open MPI looks at the variable when a communicator is made, MPICH at each call.
  MPI_Comm made_while(int forced) {
    variable_.write(forced);
    return comm_.get();
  }

  void check_data() {
    for (const Side& side : sides_) {
      variable_.write(side.number);
      workspace_.prepare();
      side.run();
      variable_.write(kLibrarysChoice);
      const auto wrong = first_complaint(workspace_.complaint(), comm_);
      if (wrong) throw VerificationError(fmt::format("wrong data from {}: {}", side.name, *wrong));
    }
  }

  /// How many fit in a block of each side, as rank 0 sees it.
  int calls_in_block() {
    const double begin = MPI_Wtime();
    for (Side& side : sides_) take_block(side, kFewestCalls);
    const double both = (MPI_Wtime() - begin) / kFewestCalls;
    for (Side& side : sides_) side.durations.clear();
    int calls = std::clamp(static_cast<int>(2 * kBlock.value / both), kFewestCalls, kMostCalls);
    check_mpi(MPI_Bcast(&calls, 1, MPI_INT, 0, comm_.get()), "MPI_Bcast");
    return calls;
  }

  void take_block(Side& side, int calls) {
    variable_.write(side.number);
    for (int call = 0; call < kWarmups; ++call) side.run();
    for (int call = 0; call < calls; ++call) {
      workspace_.touch_input();
      barrier(comm_);
      const double begin = MPI_Wtime();
      side.run();
      const double end = MPI_Wtime();
      side.durations.push_back(end - begin);
    }
    variable_.write(kLibrarysChoice);
  }

  /// The median of each round.
  std::vector<double> medians(const Side& side, int rounds, int calls) const {
    std::vector<double> slowest(side.durations.size());
    check_mpi(MPI_Allreduce(side.durations.data(), slowest.data(), static_cast<int>(slowest.size()),
                            MPI_DOUBLE, MPI_MAX, comm_.get()),
              "MPI_Allreduce");
    std::vector<double> medians;
    for (int round = 0; round < rounds; ++round) {
      const auto begin = slowest.begin() + round * calls;
      medians.push_back(median({begin, begin + calls}));
    }
    return medians;
  }

  Comparison result(int rounds, int calls) const {
    const std::vector<double> ours = medians(sides_[0], rounds, calls);
    const std::vector<double> library = medians(sides_[1], rounds, calls);
    std::vector<double> ratios(ours.size());
    std::ranges::transform(ours, library, ratios.begin(), std::divides{});
    return {{median(ours)}, {median(library)}, estimate_median(ratios)};
  }

  const Communicator& comm_;
  ControlVariable& variable_;
  Workspace workspace_;
  Communicator our_comm_;
  Communicator library_comm_;
  std::array<Side, 2> sides_{};
};

}  // namespace

Comparison compare(const Case& ours, ControlVariable& variable, int forced,
                   const Communicator& comm, int rounds) {
  return Contest{ours, variable, forced, comm}.hold(rounds);
}

}  // namespace breakeven::bench
