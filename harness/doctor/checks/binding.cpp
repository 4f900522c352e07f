// SPDX-License-Identifier: BSD-3-Clause
/// Whether each rank has a core that it stays on.
#include <fmt/format.h>

#include <algorithm>

#include "harness/doctor/catalogue.hpp"
#include "harness/doctor/checks/common.hpp"

namespace breakeven::doctor::checks {

namespace {

std::optional<Diagnosis> unbound_rank(const protocol::NodeFacts& node) {
  const protocol::CpuFacts& cpus = node.host.cpus;
  const auto found = std::ranges::find_if(node.ranks, [&](const protocol::RankFacts& rank) {
    return !core_of(rank, cpus) && rank.cpus.size() > 1;
  });
  if (found == node.ranks.end()) return std::nullopt;
  return Diagnosis{
      .severity = Severity::warning,
      .seen = fmt::format("rank {} may run on CPUs {}, more than a core", found->rank,
                          protocol::to_text(found->cpus)),
      .effect =
          "the scheduler moves ranks, which costs caches and adds scatter within and between "
          "launches",
      .fix = std::ssize(node.ranks) > protocol::usable_cores(cpus)
                 ? "no more ranks than cores: oversubscribed ones are left unbound on purpose"
                 : "let the launcher bind: Breakeven asks for one core a rank, except where nodes "
                   "share a kernel; look for settings and --launcher-args that overrule it"};
}

std::optional<Diagnosis> rank_outside_mask(const protocol::NodeFacts& node) {
  const protocol::CpuSet& usable = node.host.cpus.usable;
  const auto found = std::ranges::find_if_not(node.ranks, [&](const protocol::RankFacts& rank) {
    return std::ranges::includes(usable, rank.cpus);
  });
  if (found == node.ranks.end()) return std::nullopt;
  return Diagnosis{
      .severity = Severity::warning,
      .seen = fmt::format("rank {} is bound to CPUs {}, outside the launcher's own {}", found->rank,
                          protocol::to_text(found->cpus), protocol::to_text(usable)),
      .effect =
          "launchers that bind look past a mask such as taskset's: ranks run where "
          "something else may have been meant to",
      .fix = "restrict jobs by a cpuset control group, or by the launcher's options"};
}

std::optional<Diagnosis> ranks_on_same_cpus(const protocol::NodeFacts& node) {
  const auto found =
      some_pair(node.ranks, [](const protocol::RankFacts& a, const protocol::RankFacts& b) {
        return protocol::overlap(a.cpus, b.cpus);
      });
  if (!found) return std::nullopt;
  return Diagnosis{.severity = Severity::warning,
                   .seen = fmt::format("{} are bound to the same CPUs", *found),
                   .effect = "they take turns there, though other cores may be idle",
                   .fix =
                       "let the launcher see every core; another job's or an outer launcher's "
                       "binding may be inherited"};
}

}  // namespace

std::optional<Diagnosis> binding(const protocol::NodeFacts& node) {
  if (!node.library || node.ranks.empty()) return std::nullopt;
  for (const auto look : {unbound_rank, rank_outside_mask, ranks_on_same_cpus}) {
    if (auto found = look(node)) return found;
  }
  const protocol::RankFacts& first = node.ranks.front();
  return Diagnosis{.seen = fmt::format("each of {} is bound to CPUs of its own (rank {}: {})",
                                       count_of(std::ssize(node.ranks), "rank"), first.rank,
                                       protocol::to_text(first.cpus))};
}

}  // namespace breakeven::doctor::checks
