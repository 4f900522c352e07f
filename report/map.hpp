// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>

#include "report/sheet.hpp"

namespace breakeven::report {

/// The crossover map of a sheet as SVG, in the manner of Rabenseifner, "Optimization of Collective
/// Reduction Operations" (ICCS 2004), figure 3: sizes across, processes upwards, a line at each
/// break-even point, doubt hatched, and a circle where a program spends time. Its cells stand in
/// the order of `Sheet::cells`.
/// @param short_names  as `abbreviations`: for areas that are too narrow for a whole name
[[nodiscard]] std::string map_svg(const Sheet& sheet,
                                  const std::map<std::string, std::string>& short_names);

/// "8", "64K", "1M": what stands at an axis.
[[nodiscard]] std::string short_bytes(Bytes bytes);

}  // namespace breakeven::report
