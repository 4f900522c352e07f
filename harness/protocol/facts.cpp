// SPDX-License-Identifier: BSD-3-Clause
#include "harness/protocol/facts.hpp"

#include <algorithm>
#include <cmath>

namespace breakeven::protocol {

int usable_cores(const CpuFacts& cpus) {
  const auto in_mask = [&](const CpuSet& core) { return overlap(core, cpus.usable); };
  auto cores = static_cast<int>(cpus.cores.empty() ? std::ssize(cpus.usable)
                                                   : std::ranges::count_if(cpus.cores, in_mask));
  if (cpus.quota_cores) cores = std::min(cores, static_cast<int>(std::floor(*cpus.quota_cores)));
  return std::max(cores, 1);
}

std::string governor_names(const FrequencyFacts& frequency) {
  std::string names;
  for (const auto& [name, _] : frequency.governors) names += (names.empty() ? "" : "+") + name;
  return names.empty() ? "unknown" : names;
}

}  // namespace breakeven::protocol
