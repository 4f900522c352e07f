// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/units.hpp"

namespace breakeven {

/// What a rank does between two looks at its clock while it waits for a moment: lets others have
/// its core where there are more ranks than cores. Simulated time passes only while it is waited
/// for, so there it lets `left` pass.
void yield_core(Seconds left, bool cores_are_shared);

}  // namespace breakeven
