// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "harness/session/watch_clocks.hpp"

namespace breakeven::cli {

/// A table for people: how long synchronising took, and how wrong the clocks were right after it
/// and at the end; the drift between the two.
[[nodiscard]] std::string clocks_table(const std::vector<session::WatchedClock>& clocks);

/// One line for each offset, under a line of names; seconds with all their digits.
[[nodiscard]] std::string clocks_csv(const std::vector<session::WatchedClock>& clocks);

}  // namespace breakeven::cli
