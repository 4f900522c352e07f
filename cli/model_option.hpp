// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "sim/machine_file.hpp"

namespace breakeven::cli {

/// What --machine names where only a model without noise will do: a model, whose text is its name
/// then, or a machine file.
/// @throws UsageError saying what is possible.
[[nodiscard]] sim::MachineDescription model_of(const std::string& machine);

}  // namespace breakeven::cli
