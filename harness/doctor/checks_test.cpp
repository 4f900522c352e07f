// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <functional>

#include "harness/doctor/catalogue.hpp"

namespace breakeven::doctor {
namespace {

constexpr std::int64_t kMebi = std::int64_t{1} << 20;

/// Two ranks on a node with four cores and two memories, where nothing is wrong.
protocol::NodeFacts healthy() {
  const protocol::TimerFacts timer{.resolution_s = 2e-8, .cost_s = 2e-8};
  const protocol::Detours noise{.window_s = 0.2, .lost_s = 1e-5, .longest_s = 1e-6, .detours = 20};
  return {.host = {.name = "a",
                   .processor = "Some CPU",
                   .kernel = "Linux 6.1",
                   .clock_source = "tsc",
                   .virtual_machine = false,
                   .cpus = {.usable = {0, 1, 2, 3},
                            .cores = {{0}, {1}, {2}, {3}},
                            .numa = {{0, 1}, {2, 3}}},
                   .frequency = {.driver = "acpi-cpufreq",
                                 .governors = {{"performance", 4}},
                                 .turbo = false},
                   .memory = {.total_bytes = 4096 * kMebi,
                              .available_bytes = 3000 * kMebi,
                              .swap_used_bytes = 0,
                              .huge_pages = "madvise",
                              .overcommit = 0,
                              .shm_total_bytes = 2048 * kMebi,
                              .shm_free_bytes = 2000 * kMebi}},
          .load = {.load_1min = 0.5, .other_cores = 0.02, .steal = 0.0, .steal_at_all = 0.0},
          .library =
              protocol::LibraryFacts{.version = "Fast MPI 1\nbuilt well", .thread_level = "single"},
          .ranks = {{.rank = 0, .cpus = {0}, .timer = timer, .noise = noise},
                    {.rank = 1, .cpus = {1}, .timer = timer, .noise = noise}}};
}

TEST(Checks, FindNothingOnAHealthyNode) {
  for (const Finding& finding : diagnose(std::vector{healthy()})) {
    EXPECT_EQ(finding.verdict.severity, Severity::ok)
        << finding.name << ": " << finding.verdict.seen;
    EXPECT_FALSE(finding.verdict.seen.empty()) << finding.name;
  }
  const std::size_t of_one_node = kChecks.size() - 1;  // shared_kernel has nothing to compare
  EXPECT_EQ(diagnose(std::vector{healthy()}).size(), of_one_node);
}

/// A healthy node that something was done to, and what one check has to say of it.
struct Example {
  std::string_view check;
  Severity severity;
  std::string text;  ///< in what was seen
  std::function<void(protocol::NodeFacts&)> harm;
};

const Example kExamples[] = {
    {"oversubscription", Severity::warning, "2 ranks on 1 usable core",
     [](protocol::NodeFacts& node) { node.host.cpus.usable = {2}; }},
    {"oversubscription", Severity::warning, "quota: 1.9 cores",
     [](protocol::NodeFacts& node) { node.host.cpus.quota_cores = 1.9; }},
    {"oversubscription", Severity::warning, "2 ranks on 1 usable core",
     [](protocol::NodeFacts& node) { node.host.cpus.cores = {{0, 1, 2, 3}}; }},
    {"binding", Severity::warning, "rank 1 may run on CPUs 1-2",
     [](protocol::NodeFacts& node) { node.ranks[1].cpus = {1, 2}; }},
    {"binding", Severity::warning, "ranks 0 and 1 are bound to the same",
     [](protocol::NodeFacts& node) { node.ranks[1].cpus = {0}; }},
    {"binding", Severity::warning, "rank 0 is bound to CPUs 0, outside the launcher's own 1-2",
     [](protocol::NodeFacts& node) { node.host.cpus.usable = {1, 2}; }},
    {"smt", Severity::warning, "ranks 0 and 1 share a core",
     [](protocol::NodeFacts& node) { node.host.cpus.cores = {{0, 1}, {2, 3}}; }},
    {"smt", Severity::note, "no two ranks",
     [](protocol::NodeFacts& node) { node.host.cpus.cores = {{0, 2}, {1, 3}}; }},
    {"smt", Severity::note, "not known",
     [](protocol::NodeFacts& node) { node.host.cpus.cores = {}; }},
    {"numa", Severity::warning, "rank 1 (CPUs 1-2) may run on 2 of them",
     [](protocol::NodeFacts& node) { node.ranks[1].cpus = {1, 2}; }},
    {"numa", Severity::note, "not known",
     [](protocol::NodeFacts& node) { node.host.cpus.numa = {}; }},
    {"noise", Severity::warning, "rank 1 lost 2 % of 200 ms to 20 detours (100 a second)",
     [](protocol::NodeFacts& node) { node.ranks[1].noise.lost_s = 0.004; }},
    {"noise", Severity::note, "rank 0 lost 0.2 %",
     [](protocol::NodeFacts& node) { node.ranks[0].noise.lost_s = 0.0004; }},
    {"noise", Severity::note, "the longest 2 ms",
     [](protocol::NodeFacts& node) { node.ranks[0].noise.longest_s = 0.002; }},
    {"load", Severity::warning, "1.50 cores: make (pid 7, 1.50 cores)",
     [](protocol::NodeFacts& node) {
       node.load.other_cores = 1.5;
       node.load.others = {{.pid = 7, .name = "make", .cores = 1.5}};
     }},
    {"load", Severity::warning, "another MPI job",
     [](protocol::NodeFacts& node) { node.load.others = {{.pid = 7, .name = "mpirun"}}; }},
    {"load", Severity::note, "0.20 cores",
     [](protocol::NodeFacts& node) { node.load.other_cores = 0.2; }},
    {"load", Severity::note, "can't be read", [](protocol::NodeFacts& node) { node.load = {}; }},
    {"virtual_machine", Severity::note, "under a hypervisor; steal 0 %",
     [](protocol::NodeFacts& node) { node.host.virtual_machine = true; }},
    {"virtual_machine", Severity::warning, "steal 3 %",
     [](protocol::NodeFacts& node) {
       node.host.virtual_machine = true;
       node.load.steal = 0.03;
     }},
    {"virtual_machine", Severity::note, "steal unreadable",
     [](protocol::NodeFacts& node) {
       node.host.virtual_machine.reset();
       node.load = {};
     }},
    {"governor", Severity::warning, "performance (3), powersave (1); driver acpi",
     [](protocol::NodeFacts& node) {
       node.host.frequency.governors = {{"performance", 3}, {"powersave", 1}};
     }},
    {"governor", Severity::note, "no cpufreq driver",
     [](protocol::NodeFacts& node) { node.host.frequency = {}; }},
    {"governor", Severity::note, "virtual machine",
     [](protocol::NodeFacts& node) {
       node.host.frequency = {};
       node.host.virtual_machine = true;
     }},
    {"turbo", Severity::note, "on",
     [](protocol::NodeFacts& node) { node.host.frequency.turbo = true; }},
    {"turbo", Severity::note, "not visible",
     [](protocol::NodeFacts& node) { node.host.frequency.turbo.reset(); }},
    {"clock", Severity::warning, "hpet",
     [](protocol::NodeFacts& node) { node.host.clock_source = "hpet"; }},
    {"clock", Severity::warning, "tsc; on rank 0",
     [](protocol::NodeFacts& node) { node.ranks[1].timer.resolution_s = 2e-6; }},
    {"clock", Severity::note, "tsc; on rank 0",
     [](protocol::NodeFacts& node) { node.ranks[1].timer.cost_s = 5e-7; }},
    {"clock", Severity::note, "unreadable",
     [](protocol::NodeFacts& node) { node.host.clock_source.reset(); }},
    {"memory", Severity::warning, "200 MiB of 4 GiB",
     [](protocol::NodeFacts& node) { node.host.memory.available_bytes = 200 * kMebi; }},
    {"memory", Severity::note, "swap in use: 100 MiB",
     [](protocol::NodeFacts& node) { node.host.memory.swap_used_bytes = 100 * kMebi; }},
    {"memory", Severity::note, "overcommit mode 2",
     [](protocol::NodeFacts& node) { node.host.memory.overcommit = 2; }},
    {"memory", Severity::note, "can't be read",
     [](protocol::NodeFacts& node) { node.host.memory = {}; }},
    {"huge_pages", Severity::note, "always",
     [](protocol::NodeFacts& node) { node.host.memory.huge_pages = "always"; }},
    {"huge_pages", Severity::note, "unreadable",
     [](protocol::NodeFacts& node) { node.host.memory.huge_pages.reset(); }},
    {"pinned_memory", Severity::warning, "a rank may pin 8 MiB; RDMA devices: 1",
     [](protocol::NodeFacts& node) {
       node.host.rdma = {"mlx5_0"};
       node.ranks[1].memlock_bytes = 8 * kMebi;
     }},
    {"shared_memory", Severity::warning, "15 MiB of 64 MiB in /dev/shm free for 2 ranks",
     [](protocol::NodeFacts& node) {
       node.host.memory.shm_total_bytes = 64 * kMebi;
       node.host.memory.shm_free_bytes = 15 * kMebi;
     }},
    {"shared_memory", Severity::note, "can't be read",
     [](protocol::NodeFacts& node) { node.host.memory = {}; }},
    {"settings", Severity::warning, "coll_tuned_bcast_algorithm=5 (environment)",
     [](protocol::NodeFacts& node) {
       node.library->settings = {{"coll_tuned_bcast_algorithm", "5", "environment"}};
     }},
    {"settings", Severity::note, "btl=^openib (/etc/openmpi/openmpi-mca-params.conf)",
     [](protocol::NodeFacts& node) {
       node.library->settings = {{"btl", "^openib", "/etc/openmpi/openmpi-mca-params.conf"}};
     }},
    {"settings", Severity::ok, "none", [](protocol::NodeFacts&) {}},
    {"library", Severity::warning, "--enable-debug",
     [](protocol::NodeFacts& node) { node.library->variables["mpi_ddt_unpack_debug"] = "0"; }},
    {"library", Severity::warning, "--enable-g",
     [](protocol::NodeFacts& node) {
       node.library->version = "MPICH\nMPICH configure: --enable-g=dbg";
     }},
    {"library", Severity::warning, "ch3:sock",
     [](protocol::NodeFacts& node) { node.library->version = "MPICH\nMPICH Device: ch3:sock"; }},
    {"library", Severity::note, "MPICH checks",
     [](protocol::NodeFacts& node) {
       node.library->version = "MPICH\nMPICH configure: --enable-fast=O2";
     }},
    {"library", Severity::ok, "MPICH",
     [](protocol::NodeFacts& node) {
       node.library->version = "MPICH\nMPICH configure: --enable-fast=all";
     }},
    {"library", Severity::note, "mpi_param_check",
     [](protocol::NodeFacts& node) { node.library->variables["mpi_param_check"] = "1"; }},
    {"library", Severity::note, "MPI_THREAD_MULTIPLE",
     [](protocol::NodeFacts& node) { node.library->thread_level = "multiple"; }},
};

const Finding* find(const std::vector<Finding>& findings, std::string_view name) {
  const auto found = std::ranges::find(findings, name, &Finding::name);
  return found == findings.end() ? nullptr : &*found;
}

TEST(Checks, FindWhatIsWrong) {
  for (const Example& example : kExamples) {
    protocol::NodeFacts node = healthy();
    example.harm(node);
    const std::vector<Finding> findings = diagnose(std::vector{node});
    const Finding* finding = find(findings, example.check);
    ASSERT_NE(finding, nullptr) << example.check;
    const Diagnosis& verdict = finding->verdict;
    EXPECT_EQ(verdict.severity, example.severity) << example.check << ": " << verdict.seen;
    EXPECT_NE(verdict.seen.find(example.text), std::string::npos)
        << example.check << ": '" << example.text << "' is not in: " << verdict.seen;
    EXPECT_EQ(verdict.effect.empty(), verdict.severity == Severity::ok) << example.check;
  }
}

TEST(Checks, EveryOneHasAnExampleOfWhatItFinds) {
  for (const Check& check : kChecks) {
    if (std::holds_alternative<Check::OfAll>(check.look)) continue;  // of several nodes: below
    EXPECT_NE(std::ranges::find(kExamples, check.name, &Example::check), std::end(kExamples))
        << check.name;
  }
}

TEST(Checks, NodesThatShareAKernelAreFound) {
  std::vector<protocol::NodeFacts> nodes(3, healthy());
  for (protocol::NodeFacts& node : nodes) node.host.boot_id = "one";
  EXPECT_FALSE(checks::shared_kernel(std::span{nodes}.first(1)).has_value());
  const Diagnosis six_on_four = checks::shared_kernel(nodes).value();
  EXPECT_EQ(six_on_four.severity, Severity::warning);
  EXPECT_NE(six_on_four.seen.find("3 nodes are one computer's"), std::string::npos);
  EXPECT_NE(six_on_four.seen.find("6 ranks on 4 usable cores"), std::string::npos);
  nodes[2].host.boot_id = "two";
  nodes[1].ranks[0].rank = 2;
  const Diagnosis on_one_core = checks::shared_kernel(nodes).value();
  EXPECT_EQ(on_one_core.severity, Severity::warning);
  EXPECT_NE(on_one_core.seen.find("ranks 0 and 2 are bound to one"), std::string::npos);
  for (protocol::RankFacts& rank : nodes[1].ranks) rank.cpus = {0, 1, 2, 3};
  EXPECT_EQ(checks::shared_kernel(nodes)->severity, Severity::note);
  nodes[1].host.boot_id.reset();
  nodes[1].host.name = "b";
  EXPECT_EQ(checks::shared_kernel(nodes)->severity, Severity::ok);
}

TEST(Checks, NodesThatDifferAreFound) {
  const std::pair<std::string, std::function<void(protocol::NodeFacts&)>> differences[] = {
      {"processor: Other CPU on 1 node (b) Some CPU on 2 nodes (a)",
       [](protocol::NodeFacts& node) { node.host.processor = "Other CPU"; }},
      {"kernel:", [](protocol::NodeFacts& node) { node.host.kernel.reset(); }},
      {"usable cores: 2 on", [](protocol::NodeFacts& node) { node.host.cpus.usable = {0, 1}; }},
      {"governor:",
       [](protocol::NodeFacts& node) { node.host.frequency.governors = {{"powersave", 4}}; }},
      {"turbo:", [](protocol::NodeFacts& node) { node.host.frequency.turbo = true; }},
      {"clock source:", [](protocol::NodeFacts& node) { node.host.clock_source = "hpet"; }},
      {"memory: 8 GiB on 1 node (b) 4 GiB on 2 nodes (a)",
       [](protocol::NodeFacts& node) { node.host.memory.total_bytes = 8192 * kMebi; }},
      {"Fast MPI 2 on 1 node (b)",
       [](protocol::NodeFacts& node) { node.library->version = "Fast MPI 2\n"; }},
  };
  for (const auto& [words, harm] : differences) {
    std::vector<protocol::NodeFacts> nodes(3, healthy());
    nodes[1].host.name = "b";
    EXPECT_EQ(checks::heterogeneity(nodes)->seen, "3 nodes alike");
    harm(nodes[1]);
    const Diagnosis verdict = checks::heterogeneity(nodes).value();
    EXPECT_EQ(verdict.severity, Severity::warning);
    EXPECT_NE(verdict.seen.find(words), std::string::npos) << verdict.seen;
    nodes[1].ranks.clear();
    EXPECT_EQ(checks::heterogeneity(nodes)->severity, Severity::ok) << "it has no ranks";
  }
}

}  // namespace
}  // namespace breakeven::doctor
