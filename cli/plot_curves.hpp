// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <span>
#include <string>

#include "cli/database.hpp"
#include "core/case.hpp"

namespace breakeven::cli {

/// How measured times are drawn.
struct CurveOptions {
  std::string by = "message_bytes";
  std::string show = "time";
  std::string baseline{kNative};
  std::string baseline_mapping{};
  std::string blocks{};
};

/// Adds --by, --show, --baseline, --baseline-mapping and --blocks.
void add_curve_options(CLI::App& app, CurveOptions& options);

/// What plot curves draws.
[[nodiscard]] std::string curves_input(const CurveOptions& options, const Machine& machine,
                                       std::span<const Measurement> measurements);
/// What plot spread draws: the samples of the wanted cases.
[[nodiscard]] std::string spread_input(const CurveOptions& options, const Selection& from,
                                       const std::function<bool(const Case&)>& wanted);

}  // namespace breakeven::cli
