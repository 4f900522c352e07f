// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "core/units.hpp"
#include "executor/communicator.hpp"
#include "harness/worker/clock/global_clock.hpp"

namespace breakeven::worker {

/// The lead of a rank's clock over another rank's, bounded by a message there and back: the other
/// clock's time in the answer lies between sending and receiving on this one. Times are in seconds.
struct OffsetReading {
  double at = 0;          ///< on this rank's clock, halfway between sending and receiving
  double offset = 0;      ///< this rank's clock less the other one's; the error is at most half of
                          ///< the round trip
  double round_trip = 0;  ///< from sending to receiving
};

/// Answers the readings of `client`, with times on `clock`, while it is served_by() this rank.
void serve_time(const GlobalClock& clock, Rank client, const executor::Communicator& comm);

/// Reads the offset against the rank that serves this one: that of the quickest exchange, which has
/// the tightest bounds. Bounds of several are not combined, because clocks drift between them.
/// @see [worsch2002]
[[nodiscard]] OffsetReading read_offset(const GlobalClock& clock, Rank server, int exchanges,
                                        const executor::Communicator& comm);

/// Waits until `server` serves this rank, and releases it.
void await_service(Rank server, const executor::Communicator& comm);
void dismiss(Rank server, const executor::Communicator& comm);

/// The result of `read`, which reads any number of offsets, while `server` serves this rank.
template <typename Read>
auto served_by(Rank server, const executor::Communicator& comm, const Read& read) {
  await_service(server, comm);
  const auto result = read();
  dismiss(server, comm);
  return result;
}

/// Collective. Every rank but 0, one after another, is served by rank 0 with its own clock; the
/// others wait, so that nothing disturbs the two.
/// @return the result of `read`; at rank 0 a default one
template <typename Read>
auto served_in_turn(const GlobalClock& clock, const executor::Communicator& comm,
                    const Read& read) {
  if (comm.me() != Rank{0}) return served_by(Rank{0}, comm, read);
  for (int client = 1; client < comm.procs(); ++client) serve_time(clock, Rank{client}, comm);
  return decltype(read()){};
}

/// The straight line of least squares through the readings' offsets over their times. The weight of
/// a reading follows from its round trip: an offset's uncertainty is proportional to it.
/// @pre at least two readings, at different times
[[nodiscard]] ClockModel fit_line(std::span<const OffsetReading> readings);

/// The model of this rank's clock against that of the rank that serves it: a line through readings
/// that are spread over 0.2 s, or more where messages are so slow that there would be few. (The
/// uncertainty of a drift is that of an offset over this time: 0.1 us make 0.5 us/s with one pair
/// of readings.)
[[nodiscard]] ClockModel learn_model(const GlobalClock& clock, Rank server,
                                     const executor::Communicator& comm);

/// Collective, for ranks of one node only, whose shared CLOCK_MONOTONIC gives the truth: the lead
/// of this rank's global clock over rank 0's at a moment of rank 0's choice, past or to come. It is
/// computed, not measured: its only error is the timer's resolution.
[[nodiscard]] double true_error(const GlobalClock& clock, std::int64_t moment_ns,
                                const executor::Communicator& comm);

}  // namespace breakeven::worker
