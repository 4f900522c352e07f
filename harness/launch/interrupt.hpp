// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string_view>

namespace breakeven::launch {

/// From now on SIGINT, SIGTERM and SIGUSR1 (batch systems send these before they kill) no longer
/// end this process but are remembered: work in steps asks after each step whether to go on. A
/// second signal of the same kind ends the process as usual.
void remember_interrupts();

/// The signal that was remembered: "SIGTERM".
[[nodiscard]] std::optional<std::string_view> interrupted();

}  // namespace breakeven::launch
