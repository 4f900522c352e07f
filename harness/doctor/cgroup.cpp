// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "core/units.hpp"
#include "harness/doctor/host.hpp"
#include "harness/doctor/text_files.hpp"

namespace breakeven::doctor {

namespace {

namespace fs = std::filesystem;

/// Version 2: "max 100000" or "150000 100000", the microseconds in each period.
std::optional<double> quota_2(const fs::path& group) {
  std::istringstream line{first_line(group / "cpu.max").value_or("")};
  double quota = 0;
  double period = 0;
  if (line >> quota >> period && period > 0) return quota / period;
  return std::nullopt;
}

/// Version 1: -1 is no limit.
std::optional<double> quota_1(const fs::path& group) {
  const auto quota = whole_number(group / "cpu.cfs_quota_us");
  const auto period = whole_number(group / "cpu.cfs_period_us");
  if (!quota || !period || *quota < 0 || *period <= 0) return std::nullopt;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

/// Whether "cpu" is one of "cpu,cpuacct".
bool has_cpu(std::string_view controllers) {
  while (!controllers.empty()) {
    if (take_part(controllers, ',') == "cpu") return true;
  }
  return false;
}

}  // namespace

std::optional<double> cpu_quota(const fs::path& root) {
  std::optional<double> least;
  // In a container the group's own folder may be out of sight, but its limit then is the mount's.
  const auto climb = [&](const fs::path& mount, const fs::path& group, auto quota_of) {
    for (fs::path at = group.relative_path();; at = at.parent_path()) {
      const std::optional<double> quota = quota_of(mount / at);
      if (quota) least = std::min(least.value_or(*quota), *quota);
      if (at.empty()) return;
    }
  };
  const fs::path mounts = root / "sys/fs/cgroup";
  std::ifstream groups{root / "proc/self/cgroup"};
  for (std::string line; std::getline(groups, line);) {  // "4:cpu,cpuacct:/a/b", "0::/a/b"
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path group = line.substr(second + 1);
    if (controllers.empty()) {
      climb(mounts, group, quota_2);
      climb(mounts / "unified", group, quota_2);  // where both versions are mounted
    } else if (has_cpu(controllers)) {
      climb(mounts / controllers, group, quota_1);
    }
  }
  return least;
}

}  // namespace breakeven::doctor
