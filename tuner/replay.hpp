// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/mapping.hpp"
#include "kernels/catalogue.hpp"
#include "sim/algorithm_times.hpp"
#include "sim/timeline.hpp"
#include "tables/order.hpp"

namespace breakeven::tuner {

/// Calls of one kind, in a replay.
struct ReplayedKind {
  Collective collective = Collective::allreduce;
  NodeLayout layout{};  ///< of the communicator
  int stride = 1;       ///< between its ranks in MPI_COMM_WORLD
  Bytes message{};
  kernels::Instance algorithm{};          ///< whose messages the calls send
  const sim::Machine* machine = nullptr;  ///< whose times are stretched to `cost`
  Seconds cost{};                         ///< of a call that all ranks begin together

  [[nodiscard]] kernels::Problem problem() const;
};

/// The parts of a replay, for pictures and other simulators.
struct ReplayObserver {
  std::function<void(int rank, Seconds time)> computes{};  ///< between two calls
  std::function<void(const sim::RunInProgram& call, const sim::Machine& machine)> calls{};
};

/// The communicators of `procs` processes with this stride.
[[nodiscard]] int groups_of(int procs, int stride, int world_procs);

/// Plays the order of a program's calls on all ranks. Ranks come to a call as far apart as the
/// order says, and leave it as the algorithm's messages say. Communicators of the same stride cover
/// MPI_COMM_WORLD like tiles; ranks that remain are in none. The root is rank 0.
class Replay {
 public:
  Replay(int procs, std::span<const ReplayedKind> kinds);

  /// By kind: the time in its calls, the mean of a communicator's ranks, summed over communicators.
  ///
  /// A loop is played until ranks begin a turn as far apart as the one before, or 16 times; with an
  /// observer to its end.
  [[nodiscard]] std::vector<Seconds> play(const std::vector<tables::Step>& steps,
                                          const ReplayObserver* observer = nullptr);

 private:
  struct Kind {
    const ReplayedKind& what;
    sim::AlgorithmTimes times;
    double stretch = 0;  ///< of its machine's times; 0: ranks wait for all
    Seconds in_calls{};
    std::optional<kernels::Exchange> exchange{};  ///< once it was observed
  };
  void play_steps(const std::vector<tables::Step>& steps, double weight);
  void play_loop(const tables::Step& loop, double weight);
  void call(std::size_t kind, double weight);
  void call(std::size_t kind, std::span<const int> ranks, double weight);
  [[nodiscard]] std::vector<sim::Ticks> observed(Kind& kind, std::span<const int> ranks,
                                                 double begin_s, const sim::Conditions& apart);
  void set_back();

  std::vector<Kind> kinds_;
  std::vector<double> clock_;       // of each rank
  std::vector<double> deviations_;  // of each rank, of mean 0 and variance 1
  const ReplayObserver* observer_ = nullptr;
};

/// Steps whose loops have so few turns, one at least, that they have at most this many calls.
/// @param whole  gets whether all turns are there
[[nodiscard]] std::vector<tables::Step> shortened(std::vector<tables::Step> steps, double calls,
                                                  bool& whole);

}  // namespace breakeven::tuner
