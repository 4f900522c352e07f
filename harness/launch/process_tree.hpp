// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace breakeven {

/// A process, told from a later one with the same number by when it started.
struct ProcessIdentity {
  pid_t pid = 0;
  std::uint64_t started = 0;  ///< clock ticks after boot
};

/// Every process on this host that `pid` started, and those that these started.
[[nodiscard]] std::vector<ProcessIdentity> descendants(pid_t pid);

/// Sends SIGKILL if it is still the same process.
void end_process(const ProcessIdentity& process);

}  // namespace breakeven
