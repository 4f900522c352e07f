// SPDX-License-Identifier: BSD-3-Clause
/// Work of others that takes time away from the ranks.
#include <fmt/format.h>

#include <algorithm>

#include "core/units.hpp"
#include "harness/doctor/catalogue.hpp"
#include "harness/doctor/checks/common.hpp"
#include "harness/doctor/load.hpp"

namespace breakeven::doctor::checks {

namespace {

/// Part of the time that ranks may lose to others: noise, steal. Breakeven's decisions are about
/// differences of some percent, and what one rank loses, all ranks of a collective wait for. From
/// the first on a loss is worth knowing; from the second on it is as large as the differences.
constexpr double kLossToKnow = 0.001;
constexpr double kLossThatMatters = 0.01;

/// A detour as long as this hides a collective of small messages whole, and only a timer tick's or
/// an interrupt's work is done in less: beyond it another process had the core.
constexpr double kLongDetour_s = 1e-3;

double lost(const protocol::RankFacts& rank) { return rank.noise.lost_s / rank.noise.window_s; }

/// The processes that matter, as "make (pid 71, 0.9 cores), ...".
std::string names(const std::vector<protocol::OtherProcess>& others) {
  constexpr std::size_t kMost = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(others.size(), kMost); ++i) {
    text += fmt::format("{}{} (pid {}, {:.2f} cores)", text.empty() ? "" : ", ", others[i].name,
                        others[i].pid, others[i].cores);
  }
  if (others.size() > kMost) text += fmt::format(" and {} more", others.size() - kMost);
  return text;
}

}  // namespace

std::optional<Diagnosis> noise(const protocol::NodeFacts& node) {
  if (node.ranks.empty()) return std::nullopt;
  const protocol::RankFacts& worst = *std::ranges::max_element(node.ranks, {}, lost);
  const protocol::Detours& noise = worst.noise;
  const std::string seen = fmt::format(
      "rank {} lost {} of {} to {} ({:.0f} a second), the longest {}", worst.rank,
      percent(lost(worst)), to_text(Seconds{noise.window_s}), count_of(noise.detours, "detour"),
      static_cast<double>(noise.detours) / noise.window_s, to_text(Seconds{noise.longest_s}));
  const bool much = lost(worst) >= kLossThatMatters;
  if (!much && lost(worst) < kLossToKnow && noise.longest_s < kLongDetour_s) {
    return Diagnosis{.seen = seen};
  }
  return Diagnosis{.severity = much ? Severity::warning : Severity::note,
                   .seen = seen,
                   .effect =
                       "every rank of a collective waits for the one that was interrupted, the "
                       "more often the more ranks; medians hide it for short collectives only",
                   .fix = std::ssize(node.ranks) > protocol::usable_cores(node.host.cpus)
                              ? "no more ranks than cores: here they interrupt each other"
                              : "end what else runs (see load), leave a core to the system, "
                                "isolcpus= and nohz_full= on the kernel's command line"};
}

std::optional<Diagnosis> load(const protocol::NodeFacts& node) {
  constexpr double kIdle = 0.1;  // cores: one tick of the accounting more or less
  constexpr double kBusy = 0.5;  // cores: surely a process that computes
  const protocol::LoadFacts& load = node.load;
  const std::string average =
      load.load_1min ? fmt::format("{:.2f}", *load.load_1min) : std::string{"unreadable"};
  if (!load.other_cores) {
    return Diagnosis{.severity = Severity::note,
                     .seen = fmt::format("/proc/stat can't be read; load average {}", average),
                     .effect = "other work may disturb unseen"};
  }
  const bool other_job = std::ranges::any_of(load.others, is_launcher);
  const std::string processes = load.others.empty() ? "" : ": " + names(load.others);
  const std::string seen =
      fmt::format("others use {:.2f} cores{}{}; load average {}", *load.other_cores, processes,
                  other_job ? "; another MPI job is under way" : "", average);
  if (*load.other_cores < kIdle && !other_job) return Diagnosis{.seen = seen};
  return Diagnosis{
      .severity = *load.other_cores >= kBusy || other_job ? Severity::warning : Severity::note,
      .seen = seen,
      .effect =
          "they take cores, caches and memory bandwidth from the ranks, and not "
          "the same in every launch",
      .fix = "wait for them or end them; on a cluster ask for whole nodes"};
}

std::optional<Diagnosis> virtual_machine(const protocol::NodeFacts& node) {
  const auto shown = [](const std::optional<double>& part) {
    return part ? percent(*part) : std::string{"unreadable"};
  };
  const std::string steal = fmt::format("steal {} while ranks looked, {} since the start",
                                        shown(node.load.steal), shown(node.load.steal_at_all));
  if (!node.host.virtual_machine) {
    return Diagnosis{.severity = Severity::note,
                     .seen = "not known: this processor does not tell; " + steal,
                     .effect = "a hypervisor may stop ranks unseen"};
  }
  if (!*node.host.virtual_machine) return Diagnosis{.seen = "no hypervisor; " + steal};
  const bool much = node.load.steal.value_or(0) >= kLossThatMatters;
  return Diagnosis{.severity = much ? Severity::warning : Severity::note,
                   .seen = "under a hypervisor; " + steal,
                   .effect =
                       "the hypervisor may stop CPUs, and hides clock rates, which CPUs share "
                       "a core, and its other guests: a rank's loss is seen, its cause is not",
                   .fix = "measure on bare metal, or where CPUs are dedicated to the guest"};
}

}  // namespace breakeven::doctor::checks
