// SPDX-License-Identifier: BSD-3-Clause
#include "harness/protocol/facts.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "core/error.hpp"
#include "core/units.hpp"

namespace breakeven::protocol {

std::string to_text(const CpuSet& cpus) {
  std::string text;
  for (auto first = cpus.begin(); first != cpus.end();) {
    auto last = first;
    while (std::next(last) != cpus.end() && *std::next(last) == *last + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", *first);
    if (last != first) text += fmt::format("-{}", *last);
    first = std::next(last);
  }
  return text;
}

CpuSet parse_cpus(std::string_view text) {
  CpuSet cpus;
  for (std::string_view rest = text; !rest.empty();) {
    std::string_view range = take_part(rest, ',');
    const bool several = range.find('-') != std::string_view::npos;
    const auto first = number_in(take_part(range, '-'), 0);
    const auto last = several ? number_in(range, 0) : first;
    if (!first || !last) {
      throw Error(fmt::format("'{}' is not a list of CPUs such as '0-3,8'", text));
    }
    for (int cpu = *first; cpu <= *last; ++cpu) cpus.insert(cpu);
  }
  return cpus;
}

bool overlap(const CpuSet& a, const CpuSet& b) {
  return std::ranges::any_of(a, [&](int cpu) { return b.contains(cpu); });
}

CpuSet allowed_cpus(int pid) {
  constexpr std::size_t kMostSets = 64;  // 65536 CPUs: more than the kernel can be built for
  for (std::size_t sets = 1; sets <= kMostSets; sets *= 2) {
    std::vector<cpu_set_t> mask(sets);
    const std::size_t bytes = sets * sizeof(cpu_set_t);
    if (sched_getaffinity(pid, bytes, mask.data()) != 0) continue;  // too small a mask, or no right
    CpuSet cpus;
    for (int cpu = 0; cpu < static_cast<int>(bytes * 8); ++cpu) {
      if (CPU_ISSET_S(static_cast<std::size_t>(cpu), bytes, mask.data())) cpus.insert(cpu);
    }
    return cpus;
  }
  return {};
}

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
