// SPDX-License-Identifier: BSD-3-Clause
#include "harness/plan/ranking.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

#include "kernels/build.hpp"
#include "sim/algorithm_times.hpp"

namespace breakeven::plan {

namespace {

constexpr std::size_t kMostSizes = 5;
constexpr std::size_t kMostSimulated = 12;
constexpr std::size_t kMostSteps = std::size_t{1} << 16U;  // of all ranks

using Times = std::vector<double>;

/// To femtoseconds, so that sums in different orders are equal.
double rounded(double seconds) {
  constexpr double kFemto = 1e-15;
  return std::round(seconds / kFemto) * kFemto;
}

/// The problems at some of their sizes, from the least to the most.
std::vector<Case> some_sizes(std::span<const Case> problems) {
  std::set<Case> all;
  for (const Case& each : problems) all.insert(with_counts(each, Counts::equal));
  const std::vector<Case> sizes(all.begin(), all.end());
  const std::size_t taken = std::min(kMostSizes, sizes.size());
  std::vector<Case> some;
  for (std::size_t i = 0; i < taken; ++i) {
    some.push_back(sizes[i * (sizes.size() - 1) / std::max<std::size_t>(taken - 1, 1)]);
  }
  return some;
}

enum class By : std::uint8_t { formula, simulation };

/// Whether two ranks that stand for all have more steps than may be simulated.
bool is_long(const kernels::Algorithm& algorithm, const kernels::Problem& problem) {
  if (algorithm.formula == nullptr) return false;
  const int segments = problem.params.find_number(kernels::kSegments.key, 1).value_or(1);
  return algorithm.formula(problem).messages.value_or(0) * segments >
         static_cast<double>(kMostSteps);
}

/// The times on each machine at each size.
Times times_of(By by, const kernels::Algorithm& algorithm, const std::string& params,
               std::span<const Case> sizes, std::span<const sim::Machine> machines) {
  const kernels::Problem problem = problem_with(sizes.front(), params);
  sim::AlgorithmTimes of_algorithm{algorithm, problem, kMostSteps};
  if (is_long(algorithm, problem)) by = By::formula;
  Times times;
  for (const sim::Machine& machine : machines) {
    for (const Case& size : sizes) {
      const kernels::CollectiveCall call = of_algorithm.call_of(size.message, size.datatype);
      double time = std::numeric_limits<double>::infinity();
      if (by == By::formula) {
        if (const auto stated = of_algorithm.stated(call, machine)) time = stated->value;
      } else if (const auto predicted = of_algorithm.at(call, machine)) {
        time = predicted->time.value;
      }
      times.push_back(rounded(time));
    }
  }
  return times;
}

/// Compares all with the best, and sorts them.
void sort(std::vector<RankedVariant>& variants) {
  Times best = variants.front().times;
  for (const RankedVariant& each : variants) {
    std::ranges::transform(best, each.times, best.begin(),
                           [](double one, double other) { return std::min(one, other); });
  }
  std::set<Times> known;
  for (RankedVariant& each : variants) {
    each.best = best;
    each.another = !known.insert(each.times).second;
    each.nearest = std::numeric_limits<double>::infinity();
    double sum = 0;
    for (std::size_t i = 0; i < best.size(); ++i) {
      const double ratio = each.times[i] > best[i] ? each.times[i] / best[i] : 1;
      each.nearest = std::min(each.nearest, ratio);
      sum += std::log(ratio);
    }
    each.mean = std::exp(sum / static_cast<double>(best.size()));
  }
  std::ranges::stable_sort(variants, {}, [](const RankedVariant& each) {
    return std::tuple{each.another, each.nearest, each.mean};
  });
}

std::vector<RankedVariant> ranked_by(By by, const kernels::Algorithm& algorithm,
                                     std::span<const std::string> variants,
                                     std::span<const Case> sizes,
                                     std::span<const sim::Machine> machines) {
  std::vector<RankedVariant> ranked;
  for (const std::string& params : variants) {
    ranked.push_back({.params = params, .times = times_of(by, algorithm, params, sizes, machines)});
  }
  sort(ranked);
  return ranked;
}

}  // namespace

kernels::Problem problem_with(const Case& what, std::string_view params) {
  kernels::Problem problem = kernels::problem_of(what);
  problem.params = kernels::Params::parse(params);
  return problem;
}

std::span<const sim::Machine> machines_of_many_kinds() {
  // The sizes cover other ratios of alpha to beta.
  static const std::array<sim::Machine, 3> kMachines{
      // 10 Gb/s Ethernet: a rank's messages one after the other
      sim::Pipelining{.alpha_r = {5e-6}, .beta_per_byte = {1e-9}, .gamma_per_byte = {1e-10}},
      // a node's memory: the sender copies a message in, then the receiver copies it out
      sim::Pipelining{.alpha_r = {2e-7},
                      .beta_per_byte = {1e-10},
                      .gamma_per_byte = {1e-10},
                      .alpha_p = {4e-7},
                      .latency_per_byte = {1e-10}},
      // a Cray XC30: the latencies of [ruefenacht2017], Table 1; 80 Gb/s
      sim::Pipelining{.alpha_r = {3.4e-7},
                      .beta_per_byte = {1e-10},
                      .gamma_per_byte = {1e-10},
                      .alpha_p = {1.34e-6}}};
  return kMachines;
}

std::vector<RankedVariant> rank(const kernels::Algorithm& algorithm,
                                std::span<const std::string> variants,
                                std::span<const Case> problems, std::size_t wanted,
                                std::span<const sim::Machine> machines) {
  const std::vector<Case> sizes = some_sizes(problems);
  const std::size_t simulated = std::max(kMostSimulated, wanted);
  std::vector<std::string> ahead;
  if (variants.size() > simulated) {
    ahead.push_back(variants.front());
    for (RankedVariant& each :
         ranked_by(By::formula, algorithm, variants.subspan(1), sizes, machines)) {
      if (ahead.size() < simulated) ahead.push_back(std::move(each.params));
    }
    variants = ahead;
  }
  return ranked_by(By::simulation, algorithm, variants, sizes, machines);
}

}  // namespace breakeven::plan
