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
#include "harness/plan/shuffle.hpp"
#include "harness/worker/agree.hpp"
#include "harness/worker/candidate.hpp"
#include "harness/worker/start/barrier.hpp"
#include "harness/worker/workspace.hpp"

namespace breakeven::bench {

namespace {

constexpr Seconds kBlock{5e-3};  // time for one side's calls in a round
constexpr int kFewestCalls = 5;
constexpr int kMostCalls = 200;
constexpr int kWarmups = 2;

/// One of both.
struct Side {
  std::string_view name;
  BoundCandidate bound{};
  std::vector<double> durations{};  ///< of each call of each round, in seconds
};

class Contest {
 public:
  Contest(const Case& ours, const Case& library, const Communicator& comm)
      : comm_{comm},
        workspace_{ours, comm.procs(), comm.me()},
        our_comm_{comm.get()},
        library_comm_{comm.get()},
        sides_{Side{"ours", bind_candidate(ours, workspace_, our_comm_.get())},
               Side{"the library", bind_candidate(library, workspace_, library_comm_.get())}} {}

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
  void check_data() {
    for (const Side& side : sides_) {
      workspace_.prepare();
      {
        const ForcedAlgorithm::Enforced enforced{side.bound.forced.get()};
        side.bound.run();
      }
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
    const ForcedAlgorithm::Enforced enforced{side.bound.forced.get()};
    for (int call = 0; call < kWarmups; ++call) side.bound.run();
    for (int call = 0; call < calls; ++call) {
      workspace_.touch_input();
      barrier(comm_);
      const double begin = MPI_Wtime();
      side.bound.run();
      const double end = MPI_Wtime();
      side.durations.push_back(end - begin);
    }
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
      medians.push_back(stats::median({begin, begin + calls}));
    }
    return medians;
  }

  Comparison result(int rounds, int calls) const {
    const std::vector<double> ours = medians(sides_[0], rounds, calls);
    const std::vector<double> library = medians(sides_[1], rounds, calls);
    std::vector<double> ratios(ours.size());
    std::ranges::transform(ours, library, ratios.begin(), std::divides{});
    return {{stats::median(ours)}, {stats::median(library)}, stats::estimate_median(ratios)};
  }

  const Communicator& comm_;
  Workspace workspace_;
  Communicator our_comm_;
  Communicator library_comm_;
  std::array<Side, 2> sides_;
};

}  // namespace

Comparison compare(const Case& ours, const Case& library, const Communicator& comm, int rounds) {
  return Contest{ours, library, comm}.hold(rounds);
}

}  // namespace breakeven::bench
