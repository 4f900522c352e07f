// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "executor/communicator.hpp"
#include "harness/worker/clock/global_clock.hpp"

namespace breakeven {

/// Collective, for ranks of one node only, whose shared CLOCK_MONOTONIC knows the truth: how far
/// this rank's global clock is ahead of rank 0's at a moment of rank 0's choice, past or to come.
/// Nothing is measured, so nothing but the timer's own resolution blurs it.
[[nodiscard]] double true_error(const GlobalClock& clock, std::int64_t moment_ns,
                                const Communicator& comm);

}  // namespace breakeven
