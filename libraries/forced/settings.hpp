// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/library_setting.hpp"

namespace breakeven::forced {

/// The settings of this process's MPI library and of the transports below it that somebody made and
/// that change what a measurement is, in the order of their names. A ToolsSession must be open.
[[nodiscard]] LibrarySettings settings_in_force();

}  // namespace breakeven::forced
