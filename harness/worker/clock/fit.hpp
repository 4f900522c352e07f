// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "harness/worker/clock/offset.hpp"

namespace breakeven::worker {

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

}  // namespace breakeven::worker
