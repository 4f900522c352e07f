// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <tuple>

#include "sim/fit.hpp"
#include "sim/fit_parts.hpp"
#include "sim/least_squares.hpp"

namespace breakeven::sim {

namespace {

/// The general machine with factors: of the times, then of the times per byte, of each range.
Machine scaled(Machine machine, std::span<const double> factors) {
  const std::string model{machine.model()};
  for (std::size_t i = 0; i < machine.ranges.size(); ++i) {
    ModelKeys keys;
    for (const ModelKey& each : keys_of(machine.ranges[i].parameters)) {
      const double factor = each.unit == kSeconds   ? factors[2 * i]
                            : each.unit == kPerByte ? factors[2 * i + 1]
                                                    : 1;
      keys[each.key] = factor * each.value;
    }
    machine.ranges[i].parameters = parameters_of(model, keys);
  }
  return machine;
}

}  // namespace

/// The sizes at which an algorithm was observed, and the factors that scale the general machine.
struct Fitting::Sizes {
  std::span<const Pattern> sizes;
  const Machine& general;

  [[nodiscard]] std::vector<double> differences(std::span<const double> factors, std::size_t first,
                                                std::size_t step) const {
    const Machine machine = scaled(general, factors);
    std::vector<double> all;
    for (std::size_t i = first; i < sizes.size(); i += step) {
      all.push_back(sizes[i].difference(sizes[i].time_on(machine)));
    }
    return all;
  }
  [[nodiscard]] double log_ratio(std::size_t size, std::span<const double> factors) const {
    return std::log(sizes[size].time_s / sizes[size].time_on(scaled(general, factors)));
  }
  /// A factor that no message of the algorithm depends on stays 1, instead of becoming 0.
  [[nodiscard]] Residuals residuals(std::size_t first, std::size_t step) const {
    return [this, first, step](std::span<const double> factors) {
      std::vector<double> all = differences(factors, first, step);
      constexpr double kHold = 0.01;
      for (const double factor : factors) all.push_back(kHold * (factor - 1));
      return all;
    };
  }
};

FittedAlgorithm Fitting::fit_algorithm(std::span<const Pattern> sizes, const FittedMachine& general,
                                       std::uint64_t seed) const {
  constexpr double kBetter = 0.5;
  const std::vector<double> ones(2 * general.machine.ranges.size(), 1);
  const Sizes all{sizes, general.machine};
  FittedAlgorithm fitted{.what = sizes.front().what,
                         .difference = median_absolute(all.differences(ones, 0, 1))};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double log_ratio = all.log_ratio(i, ones);
    fitted.residuals.push_back({sizes[i].what, log_ratio, log_ratio});
  }
  if (sizes.size() < 2) return fitted;
  const LeastSquares half{all.residuals(0, 2), ones};
  fitted.held_out = median_absolute(all.differences(half.parameters(), 1, 2));
  if (!(fitted.held_out <= kBetter * median_absolute(all.differences(ones, 1, 2)))) return fitted;
  fitted.has_own = true;
  const LeastSquares other_half{all.residuals(1, 2), ones};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    fitted.residuals[i].log_ratio = all.log_ratio(i, (i % 2 == 0 ? other_half : half).parameters());
  }
  const LeastSquares whole{all.residuals(0, 1), ones};
  fitted.machine.machine = scaled(general.machine, whole.parameters());
  std::mt19937_64 random{seed};
  for (std::size_t k = 0; k < general.replicates.size(); ++k) {
    const std::vector<std::size_t> launches = drawn(launches_, random);
    std::vector<double> there = all.residuals(0, 1)(whole.parameters());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      there[i] = sizes[i].difference((1 + there[i]) * sizes[i].time_s, launches);
    }
    fitted.machine.replicates.push_back(scaled(general.machine, whole.stepped(there)));
  }
  return fitted;
}

double Fitting::launch_deviation() const {
  std::vector<double> effects;
  double mean = 0;
  for (std::size_t launch = 0; launch < launches_; ++launch) {
    std::vector<double> logs;
    for (const std::vector<Pattern>* all : {&patterns_, &algorithms_}) {
      for (const Pattern& each : *all) {
        const double time = each.by_launch_s[launch];
        if (!std::isnan(time)) logs.push_back(std::log(time / each.time_s));
      }
    }
    if (logs.empty()) continue;
    effects.push_back(stats::median(std::move(logs)));
    mean += (effects.back() - mean) / static_cast<double>(effects.size());
  }
  if (effects.size() < 2) return 0;
  double squares = 0;
  for (const double each : effects) squares += (each - mean) * (each - mean);
  return std::sqrt(squares / static_cast<double>(effects.size() - 1));
}

std::vector<FittedAlgorithm> Fitting::fit_algorithms(const FittedMachine& general,
                                                     std::uint64_t seed) const {
  std::vector<FittedAlgorithm> all;
  for (auto first = algorithms_.begin(); first != algorithms_.end();) {
    const auto end = std::find_if(first, algorithms_.end(), [&](const Pattern& each) {
      return each.what.collective != first->what.collective ||
             each.what.variant.algorithm() != first->what.variant.algorithm();
    });
    all.push_back(fit_algorithm({first, end}, general, seed));
    first = end;
  }
  return all;
}

}  // namespace breakeven::sim
