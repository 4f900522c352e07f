// SPDX-License-Identifier: BSD-3-Clause
/// Whether each rank has a core that it stays on.
#include <algorithm>

#include "harness/doctor/catalogue.hpp"
#include "harness/doctor/checks/ranks.hpp"
#include "harness/doctor/checks/text.hpp"

namespace breakeven::doctor::checks {

std::optional<Diagnosis> binding(const protocol::NodeFacts& node) {
  const protocol::CpuFacts& cpus = node.host.cpus;
  const std::vector<protocol::RankFacts>& ranks = node.ranks;
  if (!node.library || ranks.empty()) return std::nullopt;
  const auto unbound = std::ranges::find_if(ranks, [&](const protocol::RankFacts& rank) {
    return !core_of(rank, cpus) && rank.cpus.size() > 1;
  });
  if (unbound != ranks.end()) {
    return Diagnosis{
        .severity = Severity::warning,
        .seen = fmt::format("rank {} may run on CPUs {}, more than a core", unbound->rank,
                            protocol::to_text(unbound->cpus)),
        .effect =
            "the scheduler moves ranks, which costs caches and adds scatter within and between "
            "launches",
        .fix = std::ssize(ranks) > protocol::usable_cores(cpus)
                   ? "no more ranks than cores: oversubscribed ones are left unbound on purpose"
                   : "let the launcher bind: Breakeven asks for one core a rank; look for settings "
                     "and --launcher-args that overrule it"};
  }
  const auto outside = std::ranges::find_if_not(ranks, [&](const protocol::RankFacts& rank) {
    return std::ranges::includes(cpus.usable, rank.cpus);
  });
  if (outside != ranks.end()) {
    return Diagnosis{
        .severity = Severity::warning,
        .seen =
            fmt::format("rank {} is bound to CPUs {}, outside the launcher's own {}", outside->rank,
                        protocol::to_text(outside->cpus), protocol::to_text(cpus.usable)),
        .effect =
            "launchers that bind look past a mask such as taskset's: ranks run where "
            "something else may have been meant to",
        .fix = "restrict jobs by a cpuset control group, or by the launcher's options"};
  }
  const auto shared =
      some_pair(ranks, [](const protocol::RankFacts& a, const protocol::RankFacts& b) {
        return protocol::overlap(a.cpus, b.cpus);
      });
  if (shared) {
    return Diagnosis{.severity = Severity::warning,
                     .seen = fmt::format("{} are bound to the same CPUs", *shared),
                     .effect = "they take turns there, though other cores may be idle",
                     .fix =
                         "let the launcher see every core; another job's or an outer launcher's "
                         "binding may be inherited"};
  }
  return Diagnosis{.seen = fmt::format("each of {} is bound to CPUs of its own (rank {}: {})",
                                       count_of(std::ssize(ranks), "rank"), ranks.front().rank,
                                       protocol::to_text(ranks.front().cpus))};
}

}  // namespace breakeven::doctor::checks
