// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "tables/table.hpp"

namespace breakeven::tables {

/// Three digits: "1.50", "12.3", "162".
[[nodiscard]] std::string factor_text(double ratio);
/// "1.50 (1.25-1.75)"
[[nodiscard]] std::string factor_text(const Speedup& speedup);
/// The smallest and the largest of several: "1.19 to 2.41"; of one that one.
/// @pre gains are not empty
[[nodiscard]] std::string range_text(std::span<const SizeGain> gains);

/// The worth of a table against the library's default, for process counts with a core for each
/// process, and for others: in how many cells (a size at a p) it leaves the default, and how much
/// faster they are, on average and at least and most.
[[nodiscard]] std::vector<std::string> worth_lines(const Table& table);

}  // namespace breakeven::tables
