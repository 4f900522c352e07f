// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "harness/worker/clock/offset.hpp"

namespace breakeven::worker {

/// The straight line of least squares through the readings' offsets over their times. A reading
/// weighs as much as its round trip lets it: an offset is as uncertain as that is long.
/// @pre at least two readings, at different times
[[nodiscard]] ClockModel fit_line(std::span<const OffsetReading> readings);

/// The model of this rank's clock against that of the rank that serves it: a line through readings
/// that are spread over 0.2 s, or more where messages are so slow that there would be few. (A drift
/// is known to an offset's uncertainty over that time: 0.1 us make 0.5 us/s with one pair of
/// readings.)
[[nodiscard]] ClockModel learn_model(const GlobalClock& clock, Rank server,
                                     const executor::Communicator& comm);

}  // namespace breakeven::worker
