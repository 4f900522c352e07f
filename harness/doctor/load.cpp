// SPDX-License-Identifier: BSD-3-Clause
#include "harness/doctor/load.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string_view>

#include "harness/doctor/text_files.hpp"

namespace breakeven::doctor {

namespace {

/// The time is counted in ticks of usually 10 ms, so that one tick more or less is no finding.
constexpr double kTicksThatCount = 2;

double ticks_per_second() { return static_cast<double>(sysconf(_SC_CLK_TCK)); }

/// "cpu  user nice system idle iowait irq softirq steal ...": the first line, of all CPUs.
std::optional<CpuTimes> cpu_times(const std::filesystem::path& root) {
  std::istringstream line{first_line(root / "proc/stat").value_or("")};
  std::string label;
  double user = 0;
  double nice = 0;
  double system = 0;
  double idle = 0;
  double io_wait = 0;
  double irq = 0;
  double soft_irq = 0;
  double steal = 0;
  line >> label >> user >> nice >> system >> idle >> io_wait >> irq >> soft_irq >> steal;
  if (!line || label != "cpu") return std::nullopt;
  const double busy = user + nice + system + irq + soft_irq;
  const double ticks = ticks_per_second();
  return CpuTimes{.busy_s = busy / ticks,
                  .steal_s = steal / ticks,
                  .all_s = (busy + steal + idle + io_wait) / ticks};
}

/// The process, what it started, and what started it.
std::set<pid_t> family(pid_t member, const std::vector<ProcessStat>& processes) {
  std::set<pid_t> found;
  for (const ProcessStat& stat : started_by(member, processes)) found.insert(stat.pid);
  std::map<pid_t, pid_t> parents;
  for (const ProcessStat& stat : processes) parents[stat.pid] = stat.parent;
  for (pid_t at = member; at != 0 && found.insert(at).second;) at = parents[at];
  return found;
}

std::optional<double> part(double part, double all) {
  if (all <= 0) return std::nullopt;
  return part / all;
}

}  // namespace

LoadSnapshot take_load(const std::filesystem::path& root) {
  return {.at = std::chrono::steady_clock::now(),
          .times = cpu_times(root),
          .processes = every_process(root)};
}

protocol::LoadFacts load_between(const LoadSnapshot& before, const LoadSnapshot& after, pid_t ours,
                                 const std::filesystem::path& root) {
  const double window_s = std::chrono::duration<double>(after.at - before.at).count();
  const std::set<pid_t> our_family = family(ours, after.processes);
  std::map<pid_t, std::uint64_t> ticks_before;
  for (const ProcessStat& stat : before.processes) ticks_before[stat.pid] = stat.cpu_ticks;

  protocol::LoadFacts facts;
  double our_ticks = 0;
  for (const ProcessStat& stat : after.processes) {
    const std::uint64_t then = std::min(ticks_before[stat.pid], stat.cpu_ticks);
    const auto ticks = static_cast<double>(stat.cpu_ticks - then);
    if (our_family.contains(stat.pid)) {
      our_ticks += ticks;
      continue;
    }
    const protocol::OtherProcess other{
        .pid = stat.pid, .name = stat.name, .cores = ticks / ticks_per_second() / window_s};
    if (ticks >= kTicksThatCount || is_launcher(other)) facts.others.push_back(other);
  }
  std::ranges::sort(facts.others, std::ranges::greater{}, &protocol::OtherProcess::cores);

  if (before.times && after.times) {
    const double busy_s = after.times->busy_s - before.times->busy_s;
    facts.other_cores = std::max(0.0, busy_s - our_ticks / ticks_per_second()) / window_s;
    facts.steal = part(after.times->steal_s - before.times->steal_s,
                       after.times->all_s - before.times->all_s);
    facts.steal_at_all = part(after.times->steal_s, after.times->all_s);
  }
  std::istringstream averages{first_line(root / "proc/loadavg").value_or("")};
  if (double load = 0; averages >> load) facts.load_1min = load;
  return facts;
}

bool is_launcher(const protocol::OtherProcess& process) {
  constexpr std::array<std::string_view, 6> kNames{"mpiexec", "mpirun", "orterun",
                                                   "prterun", "orted",  "hydra_pmi_proxy"};
  return std::ranges::any_of(kNames,
                             [&](std::string_view name) { return process.name.starts_with(name); });
}

}  // namespace breakeven::doctor
