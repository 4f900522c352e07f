// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "core/case.hpp"
#include "libraries/openmpi_rules.hpp"
#include "tuner/formats/common/emitted.hpp"

namespace breakeven::formats::openmpi {

/// A rule of a file, and where it holds; outside of all of them the library decides.
struct Area {
  Collective collective = Collective::allreduce;
  Range procs{};
  Range bytes{};  ///< as `rules_bytes` counts them
  libraries::openmpi::RuledAlgorithm algorithm{};
  int number = 0;  ///< of the algorithm; 0 where the file names it
  int line = 0;

  [[nodiscard]] bool overlaps(const Area& other) const;
};

/// Lets a file without faults answer by its areas, of which the first that holds counts.
void answer_by(std::vector<Area> areas, ReadTable& read);

}  // namespace breakeven::formats::openmpi
