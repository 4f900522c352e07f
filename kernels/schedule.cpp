// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/schedule.hpp"

#include <fmt/format.h>

#include <numeric>

namespace breakeven::kernels {

void Schedule::round(std::initializer_list<Comm> comm, std::initializer_list<Local> local) {
  rounds.push_back({.comm = comm, .local = local});
}

void Schedule::local(const Local& step) {
  if (const auto* copy = std::get_if<Copy>(&step); copy != nullptr && copy->count == 0) return;
  if (rounds.empty()) rounds.emplace_back();
  rounds.back().local.push_back(step);
}

std::string to_text(Location at, int count) {
  const std::string first = fmt::format("{} {}", kBuffers.of(at.buffer), at.block);
  return count == 1 ? first : fmt::format("{}..{}", first, at.block + count - 1);
}

std::size_t count_steps(const Schedule& schedule) {
  std::size_t steps = schedule.scratch.size();
  for (const Round& round : schedule.rounds) steps += round.comm.size() + round.local.size();
  return steps;
}

int scratch_slots(const Schedule& schedule) {
  return std::accumulate(schedule.scratch.begin(), schedule.scratch.end(), 0,
                         [](int slots, const ScratchRun& run) { return slots + run.count; });
}

}  // namespace breakeven::kernels
