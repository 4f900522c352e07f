// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/overlap.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>

#include "harness/plan/cost.hpp"
#include "stats/median.hpp"

namespace breakeven::worker {

namespace {

double seconds_of(const std::function<void()>& run) {
  const auto begin = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

Work::Work(Seconds length) : length_{length} {
  constexpr std::int64_t kProbe = 20'000;
  double least = 1;
  for (int i = 0; i < 5; ++i) least = std::min(least, seconds_of([] { perform(kProbe); }));
  steps_per_second_ = static_cast<double>(kProbe) / least;
  steps_ = static_cast<std::int64_t>(length.value * steps_per_second_);
}

void Work::operator()(Seconds every, const std::function<bool()>& test) const {
  const auto between =
      std::max<std::int64_t>(1, static_cast<std::int64_t>(every.value * steps_per_second_));
  for (std::int64_t left = steps_; left > 0; left -= between) {
    perform(std::min(left, between));
    static_cast<void>(test());
  }
}

/// Steps that depend on each other, so that no compiler and no core shortens them.
void Work::perform(std::int64_t steps) {
  static volatile double result = 1;
  double value = result;
  for (std::int64_t i = 0; i < steps; ++i) value = value * 0.999999 + 1e-6;
  result = value;
}

std::optional<Overlap> measure_overlap(const BoundCandidate& bound, const Work& work,
                                       Seconds test_every, const Repeat& repeat) {
  const auto nothing = [] {};
  struct Part {
    std::function<void()> run;
    std::function<void()> after;
    std::vector<double> times{};
  };
  enum : std::uint8_t { empty, whole, alone, work_alone, worked, tested, made };
  std::array<Part, 7> parts{Part{nothing, nothing},
                            Part{bound.run, nothing},
                            Part{bound.start, bound.wait},
                            Part{[&] { work(); }, nothing},
                            Part{[&] {
                                   bound.start();
                                   work();
                                   bound.wait();
                                 },
                                 nothing},
                            Part{[&] {
                                   bound.start();
                                   work(test_every, bound.test);
                                   bound.wait();
                                 },
                                 nothing},
                            Part{bound.make, nothing}};
  for (int round = 0; round < plan::kOverlapRounds; ++round) {
    for (Part& part : parts) {
      if (!part.run) continue;
      const std::vector<double> times = repeat(part.run, part.after);
      part.times.insert(part.times.end(), times.begin(), times.end());
    }
  }
  if (std::ranges::any_of(parts, [](const Part& part) { return part.run && part.times.empty(); })) {
    return std::nullopt;
  }
  // Without the time of reading clocks, which a sum of two parts has twice.
  const double reading = stats::median(parts[empty].times);
  const auto time = [&](std::size_t part) {
    return Seconds{std::max(0.0, stats::median(parts.at(part).times) - reading)};
  };
  return Overlap{.start = time(alone),
                 .make = bound.make ? std::optional{time(made)} : std::nullopt,
                 .call = time(whole),
                 .work = time(work_alone),
                 .worked = time(worked),
                 .tested = time(tested),
                 .test_every = test_every};
}

}  // namespace breakeven::worker
