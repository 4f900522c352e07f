// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>

#include "core/measurement.hpp"
#include "harness/plan/sweep.hpp"

namespace breakeven::cli {

/// The result of a sweep in some 30 lines: a table for each collective and p with native and the
/// fastest candidate at each size, or a line for each where the tables are longer. Problems with
/// more processes than cores come last, apart. Empty where nothing was measured.
/// @param measurements  of the sweep's machine, also those of other sweeps
[[nodiscard]] std::string result_text(const plan::Sweep& sweep,
                                      std::span<const Measurement> measurements);

}  // namespace breakeven::cli
