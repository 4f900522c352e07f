// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "core/library_setting.hpp"
#include "harness/launch/child_process.hpp"

namespace breakeven::session {

/// Says of settings that ranks found in their environments where they come from, as far as this
/// process can know: its own environment, a module file, the launcher's command line.
/// @param library  "mpich", "openmpi"
[[nodiscard]] LibrarySettings with_origins(LibrarySettings settings, std::string_view library,
                                           const launch::ChildProcess::Command& command);

/// Removes from this process's environment, which jobs inherit, the settings of a library and its
/// transports.
/// @return what was removed: "--clean-environment unset UCX_TLS=tcp"
[[nodiscard]] std::string clean_environment(std::string_view library);

/// Ends a launch whose settings are not those of its machine.
/// @param command  the job's, which itself may have made settings
/// @throws UsageError naming the difference.
void require_settings(const LibrarySettings& found, const LibrarySettings& of_machine,
                      std::string_view library, const launch::ChildProcess::Command& command);

}  // namespace breakeven::session
