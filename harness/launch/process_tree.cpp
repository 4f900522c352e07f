// SPDX-License-Identifier: BSD-3-Clause
#include "harness/launch/process_tree.hpp"

#include <csignal>
#include <optional>

#include "core/process_stat.hpp"

namespace breakeven {

std::vector<ProcessIdentity> descendants(pid_t pid) {
  std::vector<ProcessIdentity> found;
  for (const ProcessStat& stat : started_by(pid, every_process())) {
    found.push_back({.pid = stat.pid, .started = stat.started});
  }
  return found;
}

void end_process(const ProcessIdentity& process) {
  const std::optional<ProcessStat> now = process_stat(process.pid);
  if (now && now->started == process.started) ::kill(process.pid, SIGKILL);
}

}  // namespace breakeven
