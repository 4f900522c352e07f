// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace breakeven::kernels {

std::vector<BlockRange> runs_of(std::vector<int> blocks) {
  if (!std::ranges::is_sorted(blocks)) std::ranges::sort(blocks);
  return runs_in_order(blocks);
}

std::vector<BlockRange> runs_in_order(std::span<const int> blocks) {
  std::vector<BlockRange> runs;
  for (const int block : blocks) {
    if (!runs.empty() && runs.back().first + runs.back().count == block) {
      ++runs.back().count;
    } else {
      runs.push_back({block, 1});
    }
  }
  return runs;
}

void Round::send(Rank to, Buffer from, std::span<const BlockRange> blocks) {
  for (const BlockRange& run : blocks) {
    comm.emplace_back(Send{to, {from, run.first}, run.count, &run != &blocks.back()});
  }
}

void Round::recv(Rank source, Buffer into, std::span<const BlockRange> blocks) {
  for (const BlockRange& run : blocks) {
    comm.emplace_back(Recv{source, {into, run.first}, run.count, &run != &blocks.back()});
  }
}

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
