// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "stats/belief.hpp"

namespace breakeven::stats {

/// A quantity along an axis: what was seen of it at each place, or nothing.
using Track = std::vector<std::optional<Belief>>;

/// The quantity at each place, from all places of its track: it walks at random from place to
/// place, by steps whose variance is proportional to the distance. The steps of all tracks have one
/// scale, which is estimated from them, and Student's t distribution with 3 degrees of freedom:
/// mostly small, sometimes a jump, as where a protocol changes. Kalman's filter and the
/// Rauch-Tung-Striebel smoother, with the steps' variances reweighted between passes.
///
/// @param places  ascending, as many as each track has entries
/// @return a track for each, with nothing where nothing was seen
/// @see [rauch1965]; [lange1989]
[[nodiscard]] std::vector<Track> smooth(std::span<const double> places,
                                        std::span<const Track> tracks);

}  // namespace breakeven::stats
