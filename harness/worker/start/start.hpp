// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "core/synchronisation.hpp"
#include "core/units.hpp"
#include "executor/communicator.hpp"
#include "harness/worker/clock/global_clock.hpp"

namespace breakeven::worker {

/// Lets all ranks begin repetitions together. For each block of them:
///
///     start.prepare(expected);
///     for each repetition:
///       began = start.wait();  t0 = local.now();  run();  t1 = local.now();
///       valid = began && start.in_time(t1);
///     // the ranks agree on which repetitions are valid: those that are so at every rank
///
/// A method that goes by a clock calls off repetitions for which it allowed too little time. It
/// allows several times as much after each block that lost many, so it gets valid ones in the end;
/// one Start for all blocks of a launch keeps what it has learnt.
class Start {
 public:
  Start() = default;
  virtual ~Start() = default;
  Start(const Start&) = delete;
  Start& operator=(const Start&) = delete;

  /// Collective, before a block, of which every rank takes equally many repetitions.
  /// @param expected  from one repetition's beginning to the next one's, as far as the caller's
  ///                  work goes; rank 0's holds for all
  virtual void prepare(Seconds expected);
  /// Collective. Comes back when the repetition begins; false: at this rank it begins late, if
  /// only because something else ran on its core when it was time.
  [[nodiscard]] virtual bool wait() = 0;
  /// Whether the repetition begun last counts when it ended at this reading of the local clock.
  [[nodiscard]] virtual bool in_time(double end);
};

/// Collective.
/// @param comm   outlives the result; only the result sends on it while a block lasts
/// @param clock  of which methods that go by a clock keep a copy
/// @throws UsageError when the method needs a synchronised clock and `clock` is none.
[[nodiscard]] std::unique_ptr<Start> make_start(SyncMethod method,
                                                const executor::Communicator& comm,
                                                const GlobalClock& clock);

}  // namespace breakeven::worker
