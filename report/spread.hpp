// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "core/launch.hpp"

namespace breakeven::report {

/// The samples of a case in one launch, in the order measured.
struct LaunchSamples {
  Case what{};
  std::vector<double> seconds{};
};

/// The distribution of each case's samples over all launches, as JSON: a panel for each problem
/// without p, in it a box for each p and candidate. Quartiles (definition 7), whiskers to the last
/// sample within 1.5 interquartile ranges of the box, what lies beyond, and the interval of the
/// median over launches.
///
/// With `blocks`, of one p, a box for each block size instead: its values are means of so many
/// consecutive samples, as benchmarks report that read the clock once for several calls.
[[nodiscard]] std::string spread_json(const Machine& machine,
                                      std::span<const LaunchSamples> launches,
                                      std::span<const int> blocks);

}  // namespace breakeven::report
