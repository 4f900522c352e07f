// SPDX-License-Identifier: BSD-3-Clause
#include "harness/launch/process_tree.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

namespace breakeven {

namespace {

struct Stat {
  ProcessIdentity process;
  pid_t parent = 0;
};

/// The fields of /proc/PID/stat that follow the program's name, which may hold anything.
std::optional<Stat> stat_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  if (!std::getline(file, text)) return std::nullopt;
  std::istringstream fields(text.substr(text.rfind(')') + 1));
  Stat stat{.process = {.pid = pid, .started = 0}, .parent = 0};
  char state = 0;
  fields >> state >> stat.parent;
  constexpr int kFieldsUpToStartTime = 17;  // from pgrp, field 5, to itrealvalue, field 21
  std::string skipped;
  for (int i = 0; i < kFieldsUpToStartTime; ++i) fields >> skipped;
  fields >> stat.process.started;
  return stat;
}

std::vector<Stat> every_process() {
  std::vector<Stat> processes;
  std::error_code ignored;  // a process may end while we look
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (const std::optional<Stat> stat = stat_of(std::stoi(name))) processes.push_back(*stat);
  }
  return processes;
}

}  // namespace

std::vector<ProcessIdentity> descendants(pid_t pid) {
  const std::vector<Stat> processes = every_process();
  std::vector<ProcessIdentity> found;
  std::vector<pid_t> parents{pid};
  while (!parents.empty()) {
    const pid_t parent = parents.back();
    parents.pop_back();
    for (const Stat& stat : processes) {
      if (stat.parent != parent) continue;
      found.push_back(stat.process);
      parents.push_back(stat.process.pid);
    }
  }
  return found;
}

void end_process(const ProcessIdentity& process) {
  const std::optional<Stat> now = stat_of(process.pid);
  if (now && now->process.started == process.started) ::kill(process.pid, SIGKILL);
}

}  // namespace breakeven
