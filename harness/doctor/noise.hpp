// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/units.hpp"
#include "harness/protocol/facts.hpp"

namespace breakeven::doctor {

/// A clock: seconds since some moment.
using Now = double (*)();

/// The monotonic clock of C++, for programs without MPI.
[[nodiscard]] double steady_now();

/// Reads the clock a few thousand times in a row.
[[nodiscard]] protocol::TimerFacts look_at_timer(Now now);

/// Reads the clock over and over for a while. Where two readings lie more than nine times as far
/// apart as the closest ones, the time between was lost to something else: a detour.
/// @see [beckman2006]: selfish detour, and its threshold
[[nodiscard]] protocol::Detours look_for_noise(Seconds window, Now now);

}  // namespace breakeven::doctor
