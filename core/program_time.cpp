// SPDX-License-Identifier: BSD-3-Clause
#include "core/program_time.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace breakeven {

namespace {

/// The sizes that stand for calls of a power of two, or of unknown size.
std::vector<std::size_t> standing_for(Bytes message, std::span<const Bytes> sizes) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (message == Bytes{} || power_below(sizes[i]) == message) found.push_back(i);
  }
  if (!found.empty()) return found;
  const double middle = std::log2(static_cast<double>(message.value)) + 0.5;
  const auto nearest = std::ranges::min_element(sizes, {}, [&](Bytes size) {
    return std::abs(std::log2(static_cast<double>(size.value)) - middle);
  });
  return {static_cast<std::size_t>(nearest - sizes.begin())};
}

}  // namespace

Seconds total(const ProgramTime& time) {
  Seconds sum;
  for (const auto& [called, seconds] : time) sum.value += seconds.value;
  return sum;
}

Bytes power_below(Bytes message) {
  return {static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(message.value)))};
}

bool calls(const ProgramTime& time, const Case& problem) {
  const auto with = [&](Bytes message) {
    return time.contains({problem.collective, layout_of(problem), message, problem.form});
  };
  return with({}) || with(power_below(problem.message));
}

std::vector<Seconds> time_at(const ProgramTime& time, const Case& line,
                             std::span<const Bytes> sizes) {
  std::vector<Seconds> at(sizes.size());
  for (const auto& [called, seconds] : time) {
    if (called.collective != line.collective || called.form != line.form ||
        called.layout != layout_of(line)) {
      continue;
    }
    const std::vector<std::size_t> found = standing_for(called.message, sizes);
    for (const std::size_t i : found)
      at[i].value += seconds.value / static_cast<double>(found.size());
  }
  return at;
}

}  // namespace breakeven
