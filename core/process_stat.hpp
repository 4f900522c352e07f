// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace breakeven {

/// The facts about a process in /proc/PID/stat.
struct ProcessStat {
  pid_t pid = 0;
  std::string name{};  ///< of the program, at most 15 characters
  pid_t parent = 0;
  std::uint64_t cpu_ticks = 0;  ///< used so far, in sysconf(_SC_CLK_TCK)
  std::uint64_t started = 0;    ///< clock ticks after boot
};

/// Nothing when there is no such process below `root`, the folder that has /proc in it.
[[nodiscard]] std::optional<ProcessStat> process_stat(pid_t pid,
                                                      const std::filesystem::path& root = "/");

/// Every process that is visible.
[[nodiscard]] std::vector<ProcessStat> every_process(const std::filesystem::path& root = "/");

/// The descendants of `pid` among `processes`.
[[nodiscard]] std::vector<ProcessStat> started_by(pid_t pid,
                                                  const std::vector<ProcessStat>& processes);

}  // namespace breakeven
