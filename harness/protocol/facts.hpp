// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/library_setting.hpp"

namespace breakeven::protocol {

/// Linux's CPUs by number: hardware threads, of which a core may have several.
using CpuSet = std::set<int>;

/// "0-3,8", as the kernel and taskset write it; empty for none.
[[nodiscard]] std::string to_text(const CpuSet& cpus);

/// @throws Error naming `text` when it is not such a list.
[[nodiscard]] CpuSet parse_cpus(std::string_view text);

/// Whether both have a CPU in common.
[[nodiscard]] bool overlap(const CpuSet& a, const CpuSet& b);

/// The CPUs that a process may run on, 0 for the caller's thread; empty when that can't be read.
[[nodiscard]] CpuSet allowed_cpus(int pid);

/// The facts about a machine. Throughout, an optional without a value is a fact that could not be
/// read, unless its comment says otherwise: an unknown fact is never guessed.

/// The CPUs of each core, memory and quota.
struct CpuFacts {
  CpuSet usable{};              ///< that the launcher may use: for all ranks together
  std::vector<CpuSet> cores{};  ///< the CPUs of each core; several with SMT. Empty: not known
  std::vector<CpuSet> numa{};   ///< the CPUs of each NUMA node. Empty: not known
  std::optional<double> quota_cores{};  ///< CPU time that the cgroup allows; nothing: no limit
  friend bool operator==(const CpuFacts&, const CpuFacts&) = default;
};

struct FrequencyFacts {
  std::optional<std::string> driver{};
  std::map<std::string, int> governors{};  ///< number of policies with each. Empty: not visible
  std::optional<bool> turbo{};             ///< whether a core may run faster than its base clock
  friend bool operator==(const FrequencyFacts&, const FrequencyFacts&) = default;
};

struct MemoryFacts {
  std::optional<std::int64_t> total_bytes{};
  std::optional<std::int64_t> available_bytes{};
  std::optional<std::int64_t> swap_used_bytes{};
  std::optional<std::string> huge_pages{};  ///< transparent ones: "always", "madvise", "never"
  std::optional<int> overcommit{};          ///< vm.overcommit_memory
  std::optional<std::int64_t> shm_total_bytes{};  ///< of /dev/shm
  std::optional<std::int64_t> shm_free_bytes{};
  friend bool operator==(const MemoryFacts&, const MemoryFacts&) = default;
};

/// A computer, apart from its load.
struct HostFacts {
  std::string name{};
  std::optional<std::string> processor{};  ///< "AMD EPYC 7763 64-Core Processor"
  std::optional<std::string> kernel{};     ///< "Linux 6.1.0-18-amd64"
  std::optional<std::string> boot_id{};    ///< one for each start of a kernel: see boot_id
  std::optional<std::string> clock_source{};
  std::optional<bool> virtual_machine{};
  std::vector<std::string> rdma{};  ///< InfiniBand and RoCE devices
  CpuFacts cpus{};
  FrequencyFacts frequency{};
  MemoryFacts memory{};
  friend bool operator==(const HostFacts&, const HostFacts&) = default;
};

/// A process that is none of ours.
struct OtherProcess {
  int pid = 0;
  std::string name{};
  double cores = 0;  ///< CPU seconds a second while we looked
  friend bool operator==(const OtherProcess&, const OtherProcess&) = default;
};

/// The load of a node while the ranks looked for noise.
struct LoadFacts {
  std::optional<double> load_1min{};     ///< Linux's load average, which includes our own past
  std::optional<double> other_cores{};   ///< CPU seconds a second that other processes used
  std::optional<double> steal{};         ///< part of the CPU time that the hypervisor kept
  std::optional<double> steal_at_all{};  ///< the same since the node was started
  std::vector<OtherProcess> others{};    ///< visible ones that ran, and launchers of other jobs
  friend bool operator==(const LoadFacts&, const LoadFacts&) = default;
};

/// Times at which a rank that only read the clock did not run.
struct Detours {
  double window_s = 0;
  double lost_s = 0;  ///< in detours, in all
  double longest_s = 0;
  std::int64_t detours = 0;
  friend bool operator==(const Detours&, const Detours&) = default;
};

/// The clock of the samples, seen by one rank.
struct TimerFacts {
  double resolution_s = 0;  ///< smallest step seen
  double cost_s = 0;        ///< of one reading
  friend bool operator==(const TimerFacts&, const TimerFacts&) = default;
};

/// A rank; where there is no MPI job, a thread that stands for one.
struct RankFacts {
  int rank = 0;
  CpuSet cpus{};                                ///< that it may run on
  std::optional<std::int64_t> memlock_bytes{};  ///< that it may pin; nothing: unlimited
  TimerFacts timer{};
  Detours noise{};
  friend bool operator==(const RankFacts&, const RankFacts&) = default;
};

/// An MPI library's facts about itself.
struct LibraryFacts {
  std::string version{};       ///< MPI_Get_library_version, whole: several lines
  std::string thread_level{};  ///< provided: "single", "funneled", "serialized", "multiple"
  /// Those MPI_T control variables of this library that decide about transports and checks.
  std::map<std::string, std::string> variables{};
  LibrarySettings settings{};  ///< that differ from the defaults: see JobInfo
  bool shares_memory = true;   ///< between all ranks of the node
  friend bool operator==(const LibraryFacts&, const LibraryFacts&) = default;
};

/// A node of a job; or, without ranks, the one from which it was started.
struct NodeFacts {
  HostFacts host{};
  LoadFacts load{};
  std::optional<LibraryFacts> library{};  ///< nothing: no MPI here
  std::vector<RankFacts> ranks{};
  friend bool operator==(const NodeFacts&, const NodeFacts&) = default;
};

/// The cores that ranks on this host may use for themselves: whole ones, in the launcher's mask,
/// within the cgroup's quota; 1 at least. More ranks than these are oversubscribed.
[[nodiscard]] int usable_cores(const CpuFacts& cpus);

/// "performance", "performance+powersave" where cores differ, "unknown" where none is visible.
[[nodiscard]] std::string governor_names(const FrequencyFacts& frequency);

}  // namespace breakeven::protocol
