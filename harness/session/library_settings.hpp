// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "core/library_setting.hpp"
#include "harness/launch/child_process.hpp"

namespace breakeven::session {

/// Adds the origins of settings that ranks found in their environments, as far as this process
/// knows them: its own environment, a module file, the launcher's command line.
/// @param library  "mpich", "openmpi"
[[nodiscard]] LibrarySettings with_origins(LibrarySettings settings, std::string_view library,
                                           const launch::ChildProcess::Command& command);

/// Removes from this process's environment, which jobs inherit, the settings of a library and its
/// transports.
/// @return the removed ones: "--clean-environment unset UCX_TLS=tcp"
[[nodiscard]] std::string clean_environment(std::string_view library);

/// Refuses a launch under other settings than those of its machine.
/// @param command  the job's, which itself may have settings
/// @throws UsageError naming the difference.
void require_settings(const LibrarySettings& found, const LibrarySettings& of_machine,
                      std::string_view library, const launch::ChildProcess::Command& command);

}  // namespace breakeven::session
