// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "harness/protocol/protocol.hpp"

namespace breakeven {

/// What the library of this process makes of a table's file. Of one process alone.
[[nodiscard]] ReadBack read_back(const ReadBackRequest& request);

}  // namespace breakeven
