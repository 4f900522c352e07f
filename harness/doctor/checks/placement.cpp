// SPDX-License-Identifier: BSD-3-Clause
/// On how many cores the ranks are, and what the cores share.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "harness/doctor/catalogue.hpp"
#include "harness/doctor/checks/common.hpp"

namespace breakeven::doctor::checks {

namespace {

std::string cores_seen(const protocol::CpuFacts& cpus) {
  return fmt::format("{} (CPUs allowed: {}; cgroup quota: {})",
                     count_of(protocol::usable_cores(cpus), "usable core"),
                     protocol::to_text(cpus.usable),
                     cpus.quota_cores ? fmt::format("{:.3g} cores", *cpus.quota_cores) : "none");
}

/// "ranks 2 and 3"
std::optional<std::string> ranks_on_one_core(const std::vector<protocol::RankFacts>& ranks,
                                             const protocol::CpuFacts& cpus) {
  return some_pair(ranks, [&](const protocol::RankFacts& a, const protocol::RankFacts& b) {
    const auto core = core_of(a, cpus);
    return core && core == core_of(b, cpus);
  });
}

}  // namespace

std::optional<Diagnosis> oversubscription(const protocol::NodeFacts& node) {
  if (node.ranks.empty()) return std::nullopt;
  const std::string seen =
      fmt::format("{} on {}", count_of(std::ssize(node.ranks), "rank"), cores_seen(node.host.cpus));
  if (std::ssize(node.ranks) <= protocol::usable_cores(node.host.cpus))
    return Diagnosis{.seen = seen};
  return Diagnosis{.severity = Severity::warning,
                   .seen = seen,
                   .effect =
                       "ranks take turns on cores, so that a collective lasts as long as the "
                       "scheduler's turns; algorithms compare otherwise than on a machine that "
                       "one would run on. A sweep marks such launches oversubscribed",
                   .fix =
                       "fewer processes per node, more nodes, or a larger quota or CPU mask for "
                       "the launcher"};
}

std::optional<Diagnosis> smt(const protocol::NodeFacts& node) {
  const protocol::CpuFacts& cpus = node.host.cpus;
  if (cpus.cores.empty()) {
    return Diagnosis{.severity = Severity::note,
                     .seen = "not known: hwloc can't tell which CPUs share a core",
                     .effect = "ranks may share cores unseen"};
  }
  const std::size_t threads = std::ranges::max(cpus.cores, {}, &protocol::CpuSet::size).size();
  if (threads == 1) return Diagnosis{.seen = "off: one CPU a core"};
  if (const auto siblings = ranks_on_one_core(node.ranks, cpus)) {
    return Diagnosis{.severity = Severity::warning,
                     .seen = fmt::format("{} CPUs a core, and {} share a core", threads, *siblings),
                     .effect = "they slow each other down, the more the longer they compute",
                     .fix = "no more ranks than cores, bound to cores"};
  }
  return Diagnosis{
      .severity = Severity::note,
      .seen = fmt::format("{} CPUs a core; no two ranks are bound to one core", threads),
      .effect = "what the system runs on a rank's sibling slows that rank down",
      .fix = "echo off > /sys/devices/system/cpu/smt/control, where that is yours to do"};
}

std::optional<Diagnosis> numa(const protocol::NodeFacts& node) {
  const std::vector<protocol::CpuSet>& numa = node.host.cpus.numa;
  if (numa.empty()) {
    return Diagnosis{.severity = Severity::note,
                     .seen = "not known: hwloc shows no NUMA nodes",
                     .effect = "ranks may use distant memory unseen"};
  }
  if (numa.size() == 1) return Diagnosis{.seen = "one NUMA node"};
  const auto memories = [&](const protocol::RankFacts& rank) {
    return std::ranges::count_if(
        numa, [&](const protocol::CpuSet& memory) { return protocol::overlap(memory, rank.cpus); });
  };
  const auto crossing = std::ranges::find_if(
      node.ranks, [&](const protocol::RankFacts& rank) { return memories(rank) > 1; });
  if (crossing == node.ranks.end()) {
    return Diagnosis{.seen = fmt::format("{} NUMA nodes; no rank crosses them", numa.size())};
  }
  return Diagnosis{
      .severity = Severity::warning,
      .seen = fmt::format("{} NUMA nodes, and rank {} (CPUs {}) may run on {} of them", numa.size(),
                          crossing->rank, protocol::to_text(crossing->cpus), memories(*crossing)),
      .effect = "its memory is near or far by chance: launches differ",
      .fix = "bind ranks to cores"};
}

std::optional<Diagnosis> shared_kernel(std::span<const protocol::NodeFacts> nodes) {
  struct Kernel {
    int nodes = 0;
    std::vector<protocol::RankFacts> ranks{};
    protocol::CpuFacts cpus{};
  };
  std::map<std::string, Kernel> kernels;
  int with_ranks = 0;
  for (const protocol::NodeFacts& node : nodes) {
    if (node.ranks.empty()) continue;
    ++with_ranks;
    Kernel& kernel = kernels[node.host.boot_id.value_or(node.host.name)];
    kernel.ranks.insert(kernel.ranks.end(), node.ranks.begin(), node.ranks.end());
    if (kernel.nodes++ == 0 || usable_cores(node.host.cpus) > usable_cores(kernel.cpus))
      kernel.cpus = node.host.cpus;
  }
  if (with_ranks < 2) return std::nullopt;
  const auto& most = std::ranges::max_element(kernels, {}, [](const auto& entry) {
                       return entry.second.nodes;
                     })->second;
  if (most.nodes == 1) return Diagnosis{.seen = "each node runs a kernel of its own"};
  const int cores = usable_cores(most.cpus);
  const auto on_one_core = ranks_on_one_core(most.ranks, most.cpus);
  const bool turns = on_one_core || std::ssize(most.ranks) > cores;
  return Diagnosis{
      .severity = turns ? Severity::warning : Severity::note,
      .seen = fmt::format("{} nodes are one computer's containers or namespaces: {} on {}{}",
                          most.nodes, count_of(std::ssize(most.ranks), "rank"),
                          count_of(cores, "usable core"),
                          on_one_core ? fmt::format("; {} are bound to one", *on_one_core) : ""),
      .effect = fmt::format("what passes between them is no network's, and is paid for with the "
                            "same cores{}",
                            turns ? "; ranks take turns on them" : ""),
      .fix = "good for tests and for the shape of results; measure times on nodes of their own"};
}

}  // namespace breakeven::doctor::checks
