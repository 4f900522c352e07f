// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "sim/machine.hpp"

namespace breakeven::cli {

/// What --machine names where only a model without noise will do.
/// @throws UsageError saying what is possible.
[[nodiscard]] sim::Machine model_of(const std::string& machine);

}  // namespace breakeven::cli
