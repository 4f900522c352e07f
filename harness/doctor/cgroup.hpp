// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <optional>

namespace breakeven {

/// The CPU time, in CPU seconds a second, that the control groups of this process allow it together
/// with all others in them: the tightest limit on the way up from its own group; nothing when no
/// limit is visible. Reads versions 1 and 2, below `root`.
/// @see cgroups(7); cpu.max and cpu.cfs_quota_us in the kernel's Documentation
[[nodiscard]] std::optional<double> cpu_quota(const std::filesystem::path& root);

}  // namespace breakeven
