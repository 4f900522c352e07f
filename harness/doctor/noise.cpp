// SPDX-License-Identifier: BSD-3-Clause
#include "harness/doctor/noise.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

namespace breakeven::doctor {

namespace {

constexpr int kReadings = 5000;

/// The smallest distance of two readings in a row, longer than `above`.
double shortest_step(Now now, double above) {
  double shortest = std::numeric_limits<double>::infinity();
  double last = now();
  for (int reading = 0; reading < kReadings; ++reading) {
    const double next = now();
    if (next - last > above) shortest = std::min(shortest, next - last);
    last = next;
  }
  return shortest;
}

}  // namespace

double steady_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

protocol::TimerFacts look_at_timer(Now now) {
  const double begin = now();
  const double step = shortest_step(now, 0);
  const double end = now();
  // A clock that stood still all the time has a resolution no better than that.
  return {.resolution_s = std::min(step, end > begin ? end - begin : 1.0),
          .cost_s = (end - begin) / kReadings};
}

protocol::Detours look_for_noise(Seconds window, Now now) {
  constexpr double kTimesShortest = 9;
  const protocol::TimerFacts timer = look_at_timer(now);
  // The step of a coarse clock is no detour; nor is the cost of a fine one.
  const double ordinary = std::max(timer.resolution_s, timer.cost_s);
  protocol::Detours noise;
  const double begin = now();
  double last = begin;
  while (last - begin < window.value) {
    const double next = now();
    if (const double gap = next - last; gap > kTimesShortest * ordinary) {
      ++noise.detours;
      noise.lost_s += gap - ordinary;
      noise.longest_s = std::max(noise.longest_s, gap - ordinary);
    }
    last = next;
  }
  noise.window_s = last - begin;
  return noise;
}

}  // namespace breakeven::doctor
