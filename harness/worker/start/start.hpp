// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "core/synchronisation.hpp"
#include "core/units.hpp"
#include "executor/communicator.hpp"
#include "harness/worker/clock/global_clock.hpp"

namespace breakeven::worker {

/// Collective. The dissemination barrier: ceil(log2 p) rounds of empty messages, 1, 2, 4, ... ranks
/// ahead. Our own, so that repetitions start alike whatever the library's own barrier does.
/// @see [hensgen1988]
void barrier(const executor::Communicator& comm);

/// Lets all ranks begin repetitions together. For each block of them:
///
///     start.prepare(expected);
///     for each repetition:
///       began = start.wait();  t0 = local.now();  run();  t1 = local.now();
///       valid = began && start.in_time(t1);
///     // the ranks agree on the valid repetitions: those that are valid at every rank
///
/// A method that goes by a clock drops repetitions for which it allowed too little time. It allows
/// several times as much after each block that lost many, so that it gets valid ones in the end;
/// one Start for all blocks of a launch keeps its experience.
class Start {
 public:
  Start() = default;
  virtual ~Start() = default;
  Start(const Start&) = delete;
  Start& operator=(const Start&) = delete;

  /// Collective, before a block, of which every rank takes equally many repetitions.
  /// @param expected  time of the caller's work from one repetition's beginning to the next one's;
  ///                  rank 0's holds for all
  virtual void prepare(Seconds expected);
  /// Collective. Returns when the repetition begins; false: it begins late at this rank, perhaps
  /// only because other work ran on its core in that moment.
  [[nodiscard]] virtual bool wait() = 0;
  /// Whether the repetition begun last is valid if it ended at this time of the local clock.
  [[nodiscard]] virtual bool in_time(double end);
};

/// Collective.
/// @param comm   outlives the result; only the result sends on it while a block lasts
/// @param clock  methods that go by a clock keep a copy
/// @throws UsageError when the method needs a synchronised clock and `clock` is none.
[[nodiscard]] std::unique_ptr<Start> make_start(SyncMethod method,
                                                const executor::Communicator& comm,
                                                const GlobalClock& clock);

}  // namespace breakeven::worker
