// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/launch/job.hpp"
#include "harness/launch/smpi_machine.hpp"

namespace breakeven::launch {

/// A platform, read by SimGrid.
struct SmpiPlatform {
  std::vector<std::string> hosts{};  ///< in the platform's own order
  int cores = 1;                     ///< of the host that has the fewest
  std::string identity{};            ///< "platform 64f0c1..., 8 hosts": differs for another content
};

/// @param workers  the folder of our workers and SMPI's helper
/// @throws UsageError when the file can't be read, or with SimGrid's own words when it refuses it.
[[nodiscard]] SmpiPlatform read_platform(const std::filesystem::path& file,
                                         const std::filesystem::path& workers);

/// SMPI on this platform, in the form of a real library.
/// @throws UsageError as find_library() does, when the platform has fewer than `hosts` hosts, and
///         when one of these has a name that smpirun can't take.
[[nodiscard]] Library find_smpi(const SmpiMachine& machine, const SmpiPlatform& platform, int hosts,
                                const std::filesystem::path& workers,
                                const LauncherOptions& options);

}  // namespace breakeven::launch
