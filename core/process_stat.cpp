// SPDX-License-Identifier: BSD-3-Clause
#include "core/process_stat.hpp"

#include <fstream>
#include <sstream>

namespace breakeven {

std::optional<ProcessStat> process_stat(pid_t pid, const std::filesystem::path& root) {
  std::ifstream file(root / "proc" / std::to_string(pid) / "stat");
  std::string text;
  if (!std::getline(file, text)) return std::nullopt;
  const std::size_t open = text.find('(');
  const std::size_t close = text.rfind(')');  // the program's name may hold anything
  if (open == std::string::npos || close == std::string::npos) return std::nullopt;
  std::istringstream fields(text.substr(close + 1));
  ProcessStat stat{.pid = pid, .name = text.substr(open + 1, close - open - 1)};
  char state = 0;
  fields >> state >> stat.parent;
  std::string skipped;
  const auto skip = [&](int count) {
    for (int i = 0; i < count; ++i) fields >> skipped;
  };
  std::uint64_t in_user_mode = 0;
  std::uint64_t in_kernel = 0;
  skip(9);  // from pgrp, field 5, to cmajflt, field 13
  fields >> in_user_mode >> in_kernel;
  skip(6);  // from cutime, field 16, to itrealvalue, field 21
  fields >> stat.started;
  stat.cpu_ticks = in_user_mode + in_kernel;
  return stat;
}

std::vector<ProcessStat> every_process(const std::filesystem::path& root) {
  std::vector<ProcessStat> processes;
  std::error_code ignored;  // a process may end while we look
  for (const auto& entry : std::filesystem::directory_iterator(root / "proc", ignored)) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (const auto stat = process_stat(std::stoi(name), root)) processes.push_back(*stat);
  }
  return processes;
}

std::vector<ProcessStat> started_by(pid_t pid, const std::vector<ProcessStat>& processes) {
  std::vector<ProcessStat> found;
  std::vector<pid_t> parents{pid};
  while (!parents.empty()) {
    const pid_t parent = parents.back();
    parents.pop_back();
    for (const ProcessStat& stat : processes) {
      if (stat.parent != parent) continue;
      found.push_back(stat);
      parents.push_back(stat.pid);
    }
  }
  return found;
}

}  // namespace breakeven
