// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "core/units.hpp"
#include "executor/communicator.hpp"
#include "executor/mpi_error.hpp"
#include "harness/worker/clock/global_clock.hpp"
#include "harness/worker/start/start.hpp"

namespace breakeven::worker {

/// Called between two readings of the clock by a rank that waits for a moment: gives its core to
/// others where there are more ranks than cores. Simulated time passes only in a wait, so that SMPI
/// lets `left` pass.
void yield_core(Seconds left, bool cores_are_shared);

/// The way in which a rank kept an appointment.
enum class Kept : std::uint8_t {
  in_time,
  arrived_late,  ///< the time had passed already
  left_late,     ///< other work ran on its core when the time came
};

/// Collective. The largest of every rank's counts, one by one.
template <std::size_t Size>
[[nodiscard]] std::array<int, Size> most(std::array<int, Size> counts,
                                         const executor::Communicator& comm) {
  executor::check_mpi(
      MPI_Allreduce(MPI_IN_PLACE, counts.data(), Size, MPI_INT, MPI_MAX, comm.get()),
      "MPI_Allreduce");
  return counts;
}

/// The factor from a measured time to the allowed one. It grows after a block in which the allowed
/// time was too short for more than an eighth of the repetitions, two- to eightfold by the number
/// of lost ones: sooner or later it suffices, whatever the errors of measurement and clocks. It
/// creeps back while it suffices for all.
class Margin {
 public:
  [[nodiscard]] double factor() const { return factor_; }

  /// @param lost   repetitions of the block for which it was too small
  /// @param taken  repetitions of the block
  void learn(int lost, int taken) {
    if (8L * lost > taken) {
      factor_ *= std::clamp(static_cast<double>(taken) / std::max(1, taken - lost), 2.0, 8.0);
    } else if (lost == 0 && taken > 0) {
      factor_ = std::max(kLeast, 0.9 * factor_);
    }
  }

 private:
  static constexpr double kLeast = 2;
  double factor_ = kLeast;
};

/// Ranks that meet at times on the global clock, which rank 0 announces. The time of an
/// announcement is the measure of uneven ranks here; it is measured once, and its margin is learnt.
class ScheduledStart {
 public:
  /// Collective: measures the time of an announcement.
  /// @param comm  outlives this object
  ScheduledStart(const executor::Communicator& comm, const GlobalClock& clock);

  /// Collective. Gives every rank the values of rank 0.
  void announce(std::span<double> values) const;
  /// From before an announcement at rank 0 until the last rank has it, with a margin.
  [[nodiscard]] Seconds lead() const { return {lead_margin_.factor() * announcement_.value}; }
  /// Waits for a time on the global clock. A rank is in time if it arrives and leaves later by no
  /// more than an announcement's time with a margin.
  Kept keep(double global);
  /// Collective, between blocks. Learns from each rank's appointments since the last call.
  void learn();

  [[nodiscard]] const GlobalClock& clock() const { return clock_; }

 private:
  [[nodiscard]] int& count(Kept kept) { return kept_[static_cast<std::size_t>(kept)]; }

  const executor::Communicator& comm_;
  GlobalClock clock_;
  bool cores_are_shared_ = false;
  Seconds announcement_{};
  Margin lead_margin_{};
  Margin tolerance_margin_{};
  std::array<int, 3> kept_{};  ///< appointments since learn() was called last, by Kept
};

/// The methods that go by appointments, as make_start() makes them.
[[nodiscard]] std::unique_ptr<Start> window_start(const executor::Communicator& comm,
                                                  const GlobalClock& clock);
[[nodiscard]] std::unique_ptr<Start> round_time_start(const executor::Communicator& comm,
                                                      const GlobalClock& clock);

}  // namespace breakeven::worker
