// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/schedule.hpp"

namespace breakeven {

/// The schedule run backwards, input and output exchanged: what was received is sent, and the last
/// round comes first. A gather becomes the scatter along the same tree.
/// @pre it reduces nothing and sends no block twice
[[nodiscard]] Schedule reversed(const Schedule& schedule);

}  // namespace breakeven
