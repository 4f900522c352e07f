// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "core/synchronisation.hpp"
#include "core/units.hpp"

namespace breakeven::protocol {

/// Synchronise clocks by each of these methods, and watch their errors grow.
struct ClocksRequest {
  std::vector<ClockSync> clocks{};
  Timer timer = Timer::monotonic;
  Seconds duration{10};  ///< from the last method's synchronisation on
};

/// A method has synchronised the ranks' clocks.
struct ClockSynced {
  ClockSync clock{};
  Seconds duration{};  ///< of the rank that took longest
  friend bool operator==(const ClockSynced&, const ClockSynced&) = default;
};

/// The lead of a rank's global clock over rank 0's at some time after its synchronisation.
struct ClockOffset {
  ClockSync clock{};
  int rank = 0;
  Seconds elapsed{};             ///< since then, on rank 0's clock
  Seconds offset{};              ///< as measured: at most half of the round trip wrong
  Seconds round_trip{};          ///< of the message there and back that measured it
  std::optional<Seconds> truth;  ///< the offset by the node's shared clock; on one node only
  friend bool operator==(const ClockOffset&, const ClockOffset&) = default;
};

}  // namespace breakeven::protocol
