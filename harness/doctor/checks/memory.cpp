// SPDX-License-Identifier: BSD-3-Clause
/// The memory that buffers and transports need.
#include <fmt/format.h>

#include <algorithm>

#include "harness/doctor/catalogue.hpp"
#include "harness/doctor/checks/common.hpp"

namespace breakeven::doctor::checks {

std::optional<Diagnosis> memory(const protocol::NodeFacts& node) {
  constexpr double kScarce = 0.1;      // of all: the kernel begins to look for pages in earnest
  constexpr double kSwapInUse = 0.01;  // of the memory
  constexpr int kNeverOvercommit = 2;
  const protocol::MemoryFacts& memory = node.host.memory;
  if (!memory.total_bytes || !memory.available_bytes || *memory.total_bytes <= 0) {
    return Diagnosis{.severity = Severity::note,
                     .seen = "/proc/meminfo can't be read",
                     .effect = "ranks may run out of memory, or wait for pages, unseen"};
  }
  const auto part = [&](std::int64_t bytes) {
    return static_cast<double>(bytes) / static_cast<double>(*memory.total_bytes);
  };
  const std::string swap =
      memory.swap_used_bytes ? about(*memory.swap_used_bytes) : std::string{"unreadable"};
  const std::string seen =
      fmt::format("{} of {} available; swap in use: {}; overcommit mode {}",
                  about(*memory.available_bytes), about(*memory.total_bytes), swap,
                  memory.overcommit ? fmt::format("{}", *memory.overcommit) : "unreadable");
  const bool scarce = part(*memory.available_bytes) < kScarce;
  const bool swapping = part(memory.swap_used_bytes.value_or(0)) >= kSwapInUse;
  if (!scarce && !swapping && memory.overcommit != kNeverOvercommit) return Diagnosis{.seen = seen};
  return Diagnosis{.severity = scarce ? Severity::warning : Severity::note,
                   .seen = seen,
                   .effect =
                       "large messages may fail for want of memory, or wait for pages to be "
                       "freed or to come back from swap within a sample",
                   .fix = "end what holds memory; swapoff -a; vm.overcommit_memory = 0"};
}

std::optional<Diagnosis> huge_pages(const protocol::NodeFacts& node) {
  const std::optional<std::string>& mode = node.host.memory.huge_pages;
  const std::string seen = "transparent huge pages: " + mode.value_or("unreadable");
  if (mode && mode != "always") return Diagnosis{.seen = seen};
  return Diagnosis{.severity = Severity::note,
                   .seen = seen,
                   .effect =
                       "whether a buffer lies in huge pages depends on how fragmented memory "
                       "is: bandwidth of large messages may differ between launches",
                   .fix = "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled"};
}

std::optional<Diagnosis> pinned_memory(const protocol::NodeFacts& node) {
  if (node.ranks.empty()) return std::nullopt;
  std::optional<std::int64_t> least;  // nothing: unlimited on every rank
  for (const protocol::RankFacts& rank : node.ranks) {
    if (rank.memlock_bytes)
      least = std::min(least.value_or(*rank.memlock_bytes), *rank.memlock_bytes);
  }
  const std::vector<std::string>& rdma = node.host.rdma;
  const std::string seen =
      fmt::format("a rank may pin {}; RDMA devices: {}", least ? about(*least) : "any amount",
                  rdma.empty() ? "none" : fmt::format("{}", rdma.size()));
  if (rdma.empty() || !least) return Diagnosis{.seen = seen};
  return Diagnosis{.severity = Severity::warning,
                   .seen = seen,
                   .effect =
                       "InfiniBand needs pinned buffers: the library falls back to slower "
                       "transports, or fails at large messages",
                   .fix = "memlock unlimited in /etc/security/limits.conf and in the job manager"};
}

std::optional<Diagnosis> shared_memory(const protocol::NodeFacts& node) {
  // MPICH 4.0 on UCX takes 4.2 MiB of /dev/shm for a rank as it starts; Open MPI 4.1 makes a file
  // of 4 MiB and fills it as messages come. Twice that leaves room for what algorithms add,
  // beyond what the job under examination has taken already.
  constexpr std::int64_t kNeeded = std::int64_t{8} << 20;
  if (node.ranks.empty()) return std::nullopt;
  const protocol::MemoryFacts& memory = node.host.memory;
  if (!memory.shm_free_bytes || !memory.shm_total_bytes) {
    return Diagnosis{.severity = Severity::note,
                     .seen = "/dev/shm can't be read",
                     .effect = "the ranks of a node may have to talk through slower transports"};
  }
  const std::string seen =
      fmt::format("{} of {} in /dev/shm free for {}", about(*memory.shm_free_bytes),
                  about(*memory.shm_total_bytes), count_of(std::ssize(node.ranks), "rank"));
  if (*memory.shm_free_bytes >= kNeeded * std::ssize(node.ranks)) return Diagnosis{.seen = seen};
  return Diagnosis{.severity = Severity::warning,
                   .seen = seen,
                   .effect =
                       "the libraries' shared-memory transports need about 8 MiB a rank; with "
                       "less they refuse to start, fall back, or die of SIGBUS",
                   .fix =
                       "mount -o remount,size=4G /dev/shm; for a container --shm-size=4g; remove "
                       "what crashed jobs left there"};
}

}  // namespace breakeven::doctor::checks
