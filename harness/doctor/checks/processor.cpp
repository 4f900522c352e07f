// SPDX-License-Identifier: BSD-3-Clause
/// How fast the cores run, and how well they tell the time.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/units.hpp"
#include "harness/doctor/catalogue.hpp"
#include "harness/doctor/checks/common.hpp"

namespace breakeven::doctor::checks {

namespace {

/// Why a setting of the clock rate is not there to be read.
std::string hidden(const protocol::NodeFacts& node) {
  return node.host.virtual_machine.value_or(false)
             ? "not visible in this virtual machine: the host below it decides"
             : "not visible: no cpufreq driver, or /sys is hidden";
}

}  // namespace

std::optional<Diagnosis> governor(const protocol::NodeFacts& node) {
  const std::map<std::string, int>& governors = node.host.frequency.governors;
  if (governors.empty()) {
    return Diagnosis{.severity = Severity::note,
                     .seen = hidden(node),
                     .effect = "the clock rate may change while measuring, unseen"};
  }
  std::string seen;
  for (const auto& [name, policies] : governors) {
    seen += fmt::format("{}{} ({})", seen.empty() ? "" : ", ", name, policies);
  }
  seen += "; driver " + node.host.frequency.driver.value_or("unknown");
  if (governors.size() == 1 && governors.contains("performance")) return Diagnosis{.seen = seen};
  return Diagnosis{.severity = Severity::warning,
                   .seen = seen,
                   .effect =
                       "the clock rate follows the load: a collective after a pause, or one that "
                       "waits, runs slower than the next",
                   .fix = "cpupower frequency-set --governor performance"};
}

std::optional<Diagnosis> turbo(const protocol::NodeFacts& node) {
  const std::optional<bool>& turbo = node.host.frequency.turbo;
  if (turbo && !*turbo) return Diagnosis{.seen = "off"};
  if (!turbo) {
    return Diagnosis{.severity = Severity::note,
                     .seen = hidden(node),
                     .effect = "cores may run faster when few of them work or the chip is cool"};
  }
  return Diagnosis{.severity = Severity::note,
                   .seen = "on",
                   .effect =
                       "the clock rate depends on how many cores work, with which instructions, "
                       "and on the temperature: few ranks look better than they scale",
                   .fix =
                       "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo, or "
                       "echo 0 > /sys/devices/system/cpu/cpufreq/boost"};
}

std::optional<Diagnosis> clock(const protocol::NodeFacts& node) {
  // Read without entering the kernel.
  constexpr std::array<std::string_view, 6> kFast{
      "tsc", "kvm-clock", "timebase", "arch_sys_counter", "tod", "hyperv_clocksource_tsc_page"};
  // A collective of small messages on a node lasts about a microsecond, and a sample is between
  // two readings.
  constexpr double kTooCoarse_s = 1e-6;
  constexpr double kCoarse_s = 1e-7;
  const std::optional<std::string>& source = node.host.clock_source;
  double coarsest = 0;
  for (const protocol::RankFacts& rank : node.ranks) {
    coarsest = std::max({coarsest, rank.timer.resolution_s, rank.timer.cost_s});
  }
  std::string seen = source ? *source : "source unreadable";
  if (!node.ranks.empty()) {
    const protocol::RankFacts& first = node.ranks.front();
    seen += fmt::format("; on rank {} a reading costs {}, the smallest step is {}", first.rank,
                        to_text(Seconds{first.timer.cost_s}),
                        to_text(Seconds{first.timer.resolution_s}));
  }
  const bool fast = source && std::ranges::find(kFast, *source) != kFast.end();
  if (fast && coarsest < kCoarse_s) return Diagnosis{.seen = seen};
  const bool slow = (source && !fast) || coarsest >= kTooCoarse_s;
  return Diagnosis{.severity = slow ? Severity::warning : Severity::note,
                   .seen = seen,
                   .effect = "short collectives are measured too long, and in steps of the clock",
                   .fix =
                       "clocksource=tsc on the kernel's command line; dmesg says why it was not "
                       "chosen"};
}

}  // namespace breakeven::doctor::checks
