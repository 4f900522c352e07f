// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/process_stat.hpp"
#include "harness/protocol/facts.hpp"

namespace breakeven::doctor {

/// The counters of /proc/stat since the start of the host, in CPU seconds over all CPUs.
struct CpuTimes {
  double busy_s = 0;   ///< at work for a process or the kernel
  double steal_s = 0;  ///< held back by the hypervisor
  double all_s = 0;    ///< idle time too
};

/// The CPU time that each process has used up to a moment.
struct LoadSnapshot {
  std::chrono::steady_clock::time_point at{};
  std::optional<CpuTimes> times{};
  std::vector<ProcessStat> processes{};
};

[[nodiscard]] LoadSnapshot take_load(const std::filesystem::path& root = "/");

/// The load between two moments.
/// @param ours  the process that started all of ours on this host; its ancestors are ours too
[[nodiscard]] protocol::LoadFacts load_between(const LoadSnapshot& before,
                                               const LoadSnapshot& after, pid_t ours,
                                               const std::filesystem::path& root = "/");

/// Whether this is the program with which an MPI library starts jobs.
[[nodiscard]] bool is_launcher(const protocol::OtherProcess& process);

}  // namespace breakeven::doctor
