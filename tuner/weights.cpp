// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/weights.hpp"

#include "tuner/contest.hpp"

namespace breakeven::tuner {

namespace {

constexpr double kByTime = 0.9;  // of all doublings

struct Sums {
  double doublings = 0;
  double seconds = 0;
};

Sums sums_of(std::span<const LineSizes> lines, const ProgramTime& time) {
  Sums sums;
  for (const LineSizes& line : lines) {
    for (const double width : widths_of(line.sizes)) sums.doublings += width;
    for (const Seconds each : time_at(time, line.problem, line.sizes)) sums.seconds += each.value;
  }
  return sums;
}

}  // namespace

std::vector<std::vector<double>> weights_of(std::span<const LineSizes> lines,
                                            const ProgramTime& time) {
  std::vector<std::vector<double>> weights;
  for (const LineSizes& line : lines) weights.emplace_back(line.sizes.size(), 1.0);
  const auto [doublings, seconds] = sums_of(lines, time);
  if (seconds == 0) return weights;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::vector<double> widths = widths_of(lines[i].sizes);
    const std::vector<Seconds> at = time_at(time, lines[i].problem, lines[i].sizes);
    for (std::size_t j = 0; j < widths.size(); ++j) {
      const double shared = doublings * at[j].value / seconds;
      weights[i][j] = 1 - kByTime + kByTime * shared / widths[j];
    }
  }
  return weights;
}

Seconds time_of_doubling(std::span<const LineSizes> lines, const ProgramTime& time) {
  const auto [doublings, seconds] = sums_of(lines, time);
  return {seconds / (kByTime * doublings)};
}

}  // namespace breakeven::tuner
