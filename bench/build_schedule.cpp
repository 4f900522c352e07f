// SPDX-License-Identifier: BSD-3-Clause
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"

// How long it takes to build one rank's schedule among a million ranks, named
// COLLECTIVE/ALGORITHM/P, of the algorithms whose schedules don't grow in step with p. Other
// schedules cost as much as they are long.

namespace breakeven::bench {
namespace {

constexpr int kMillion = 1 << 20;

/// Whether schedules are still short where those that grow with p no longer are, as far from a
/// power of two as the problem itself is.
bool logarithmic(const kernels::Algorithm& algorithm, kernels::Problem problem) {
  constexpr std::size_t kShort = 200;
  problem.procs -= kMillion - (1 << 12);
  return kernels::count_steps(kernels::build_schedule(algorithm, problem)) <= kShort;
}

void build(benchmark::State& state, const kernels::Algorithm& algorithm, kernels::Problem problem) {
  // Ranks in turn, far from each other: what a rank does depends on its digits.
  constexpr int kStride = 104729;
  int rank = 0;
  for (auto unused : state) {
    static_cast<void>(unused);
    problem.me = {rank};
    rank = (rank + kStride) % problem.procs;
    benchmark::DoNotOptimize(kernels::build_schedule(algorithm, problem));
  }
}

void register_all() {
  for (const auto& [collective, name] : kCollectives.entries) {
    if (irregular(collective)) continue;
    for (const kernels::Algorithm* algorithm : kernels::catalogue(collective)) {
      for (const int procs : {kMillion, kMillion - 1}) {
        const kernels::Problem problem{.collective = collective, .procs = procs};
        if (!kernels::runs(*algorithm, problem) || !logarithmic(*algorithm, problem)) continue;
        benchmark::RegisterBenchmark(
            fmt::format("{}/{}/{}", name, algorithm->name, procs).c_str(),
            [algorithm, problem](benchmark::State& state) { build(state, *algorithm, problem); });
      }
    }
  }
}

}  // namespace
}  // namespace breakeven::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  breakeven::bench::register_all();
  benchmark::RunSpecifiedBenchmarks();
}
