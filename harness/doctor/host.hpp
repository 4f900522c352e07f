// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/protocol/facts.hpp"

namespace breakeven::doctor {

/// The name that gethostname gives: ranks with the same name are on one node.
[[nodiscard]] std::string host_name();

/// Differs between any two running kernels, and from one start of a kernel to the next: hosts with
/// the same one are containers or namespaces of one computer. Nothing where it can't be read.
[[nodiscard]] std::optional<std::string> boot_id(const std::filesystem::path& root = "/");

/// Which CPUs share a core, a memory, a socket; all empty when hwloc can't tell.
struct Topology {
  std::vector<protocol::CpuSet> cores{};
  std::vector<protocol::CpuSet> numa{};
  std::vector<protocol::CpuSet> packages{};
};

/// @param synthetic  hwloc's description of another machine than this one, "numa:2 core:4 pu:2"
[[nodiscard]] Topology read_topology(const std::string& synthetic = {});

/// Everything about this host that doesn't change while a job runs.
/// @param usable  the CPUs that all ranks of a job together may run on
/// @param root    the folder below which /proc, /sys and /dev are read; facts from elsewhere (the
///                host's name, the CPUs of each core) are always this host's
[[nodiscard]] protocol::HostFacts read_host(const protocol::CpuSet& usable,
                                            const std::filesystem::path& root = "/");

/// The bytes that this process may pin; nothing: any number.
[[nodiscard]] std::optional<std::int64_t> memlock_limit();

/// The CPUs that the launcher of this rank, its parent, was allowed: those of the job, because it
/// binds the ranks but not itself. Our own where the parent is out of sight.
[[nodiscard]] protocol::CpuSet cpus_of_launcher();

/// The CPU time, in CPU seconds a second, that the control groups of this process allow it together
/// with all others in them: the tightest limit on the way up from its own group; nothing when no
/// limit is visible. Reads versions 1 and 2, below `root`.
/// @see cgroups(7); cpu.max and cpu.cfs_quota_us in the kernel's Documentation
[[nodiscard]] std::optional<double> cpu_quota(const std::filesystem::path& root);

}  // namespace breakeven::doctor
