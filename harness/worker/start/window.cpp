// SPDX-License-Identifier: BSD-3-Clause
#include <array>

#include "harness/worker/start/scheduled_start.hpp"

namespace breakeven::worker {

namespace {

/// Begins at fixed times, one for each window, so that no message precedes a repetition. A late
/// rank begins at once and may be late for the next windows too, until it has caught up. A window
/// lasts for the block's expected repetition, times a margin, and an announcement.
/// @see [worsch2002]
class WindowStart : public Start {
 public:
  WindowStart(const executor::Communicator& comm, const GlobalClock& clock)
      : comm_{comm}, start_{comm, clock} {}

  void prepare(Seconds expected) override {
    learn();
    const double lead = start_.lead().value;
    std::array<double, 2> plan{start_.clock().now() + lead,
                               margin_.factor() * expected.value + lead};
    start_.announce(plan);
    end_ = plan[0];
    length_ = plan[1];
  }

  bool wait() override {
    const double begin = end_;
    end_ += length_;
    const Kept kept = start_.keep(begin);
    if (kept == Kept::arrived_late) ++overruns_;
    ++taken_;
    return kept == Kept::in_time;
  }

  [[nodiscard]] bool in_time(double end) override {
    if (start_.clock().global(end) <= end_) return true;
    ++overruns_;
    return false;
  }

 private:
  void learn() {
    start_.learn();
    margin_.learn(most<1>({overruns_}, comm_).front(), taken_);
    overruns_ = 0;
    taken_ = 0;
  }

  const executor::Communicator& comm_;
  ScheduledStart start_;
  Margin margin_;
  double end_ = 0;     // of the current window, on the global clock
  double length_ = 0;  // of every window of this block, in seconds
  int overruns_ = 0;   // repetitions of this block that ended or began in a later window
  int taken_ = 0;      // repetitions of this block
};

}  // namespace

std::unique_ptr<Start> window_start(const executor::Communicator& comm, const GlobalClock& clock) {
  return std::make_unique<WindowStart>(comm, clock);
}

}  // namespace breakeven::worker
