// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "core/case.hpp"
#include "core/units.hpp"

namespace breakeven {

/// Of each rank's mean duration over the repetitions: the least, the mean and the greatest over the
/// ranks. OSU and IMB print these.
struct RankMeans {
  Seconds min{};
  Seconds avg{};
  Seconds max{};
  friend bool operator==(const RankMeans&, const RankMeans&) = default;
};

/// A case that a sweep gave up before its last launch.
struct Dropped {
  Case what{};
  int launches = 0;  ///< those that it was measured in
  std::string reason{};
  friend bool operator==(const Dropped&, const Dropped&) = default;
};

}  // namespace breakeven
