// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "core/program_time.hpp"

namespace breakeven::tuner {

/// Problems that differ in their size alone.
struct LineSizes {
  Case problem{};
  std::vector<Bytes> sizes{};  ///< ascending
};

/// What one doubling of the message counts around each size of each line: 1 without a program.
/// With one, nine tenths of all doublings are shared out by the time that it spends at each size,
/// so that what it needs decides; the rest stays as it is, so that what it never calls is decided
/// by what was measured too. The sum over the doublings of all sizes (widths_of) stays the same:
/// what a rule costs, and what is too little to gain, keep their meaning.
[[nodiscard]] std::vector<std::vector<double>> weights_of(std::span<const LineSizes> lines,
                                                          const ProgramTime& time);

}  // namespace breakeven::tuner
