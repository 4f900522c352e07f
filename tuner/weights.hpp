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

/// The weight of one doubling of the message around each size of each line: 1 without a program.
/// With a program, nine tenths of all doublings are shared out by its time at each size, so that
/// its needs decide; the rest stays as it is, so that measurements decide the sizes that it never
/// calls too. The sum over the doublings of all sizes (widths_of) stays the same: the price of a
/// rule, and the gain that is too little, keep their meaning.
[[nodiscard]] std::vector<std::vector<double>> weights_of(std::span<const LineSizes> lines,
                                                          const ProgramTime& time);

/// The time of the program in one doubling of weight 1: what a weighed gain is a share of.
[[nodiscard]] Seconds time_of_doubling(std::span<const LineSizes> lines, const ProgramTime& time);

}  // namespace breakeven::tuner
