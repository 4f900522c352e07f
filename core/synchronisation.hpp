// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "core/names.hpp"

namespace breakeven {

/// How the ranks begin a repetition together.
enum class SyncMethod : std::uint8_t {
  dissemination,  ///< our own dissemination barrier, the same on every library
  library,        ///< the library's MPI_Barrier
  window,         ///< at times on a global clock that are fixed beforehand, one every window
  round_time,     ///< at a time on a global clock that rank 0 announces before each repetition
};
inline constexpr Names<SyncMethod, 4> kSyncMethods{"sync",
                                                   {{{SyncMethod::dissemination, "dissemination"},
                                                     {SyncMethod::library, "library"},
                                                     {SyncMethod::window, "window"},
                                                     {SyncMethod::round_time, "round_time"}}}};
constexpr const auto& names(SyncMethod) { return kSyncMethods; }
/// Whether its times are those of a clock that all ranks share.
[[nodiscard]] constexpr bool needs_clock(SyncMethod method) {
  return method == SyncMethod::window || method == SyncMethod::round_time;
}

/// How the ranks learn rank 0's clock: one file each in harness/worker/clock/.
enum class ClockSync : std::uint8_t {
  none,    ///< not at all: only durations on one rank mean something
  skampi,  ///< offset alone, every rank with rank 0 in turn
  jk,      ///< offset and drift, every rank with rank 0 in turn
  hca,     ///< drift along a binomial tree, offsets with rank 0 in turn
  hca2,    ///< offset and drift along a binomial tree, models merged on the way up
  hca3,    ///< offset and drift along a binomial tree, each against a clock that is global already
  two_level,  ///< hca3 between the nodes, and one clock for each node
};
inline constexpr Names<ClockSync, 7> kClockSyncs{"clock sync",
                                                 {{{ClockSync::none, "none"},
                                                   {ClockSync::skampi, "skampi"},
                                                   {ClockSync::jk, "jk"},
                                                   {ClockSync::hca, "hca"},
                                                   {ClockSync::hca2, "hca2"},
                                                   {ClockSync::hca3, "hca3"},
                                                   {ClockSync::two_level, "two_level"}}}};
constexpr const auto& names(ClockSync) { return kClockSyncs; }

/// The source of a rank's own time.
enum class Timer : std::uint8_t {
  monotonic,  ///< clock_gettime(CLOCK_MONOTONIC)
  wtime,      ///< MPI_Wtime
};
inline constexpr Names<Timer, 2> kTimers{
    "timer", {{{Timer::monotonic, "monotonic"}, {Timer::wtime, "wtime"}}}};
constexpr const auto& names(Timer) { return kTimers; }

/// The definition of the time of one repetition.
enum class RunTime : std::uint8_t {
  local,   ///< the longest time that a rank spent in it, by its own clock
  global,  ///< from the first rank's start to the last rank's end, on the global clock
};
inline constexpr Names<RunTime, 2> kRunTimes{
    "run time", {{{RunTime::local, "local"}, {RunTime::global, "global"}}}};
constexpr const auto& names(RunTime) { return kRunTimes; }

}  // namespace breakeven
