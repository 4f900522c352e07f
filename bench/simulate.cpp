// SPDX-License-Identifier: BSD-3-Clause
// What a simulated message costs. Ranks begin at different times: where all are alike, caches and
// branches flatter an engine.
#include <benchmark/benchmark.h>

#include <random>

#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"
#include "sim/uniform.hpp"

namespace {

namespace kernels = breakeven::kernels;
namespace sim = breakeven::sim;
using breakeven::Collective;

const sim::LogGP kCluster{.L = {2500e-9}, .o = {1500e-9}, .g = {1000e-9}, .G = {6e-9}};
const sim::Postal kPostal{{1e-6}, {1e-9}, {1e-10}};

std::vector<sim::Ticks> skewed(int procs) {
  constexpr sim::Ticks kFiveMicroseconds = 5'000'000'000;
  std::mt19937_64 random{1};
  std::vector<sim::Ticks> starts;
  for (int i = 0; i < procs; ++i) {
    starts.push_back(static_cast<sim::Ticks>(random() % kFiveMicroseconds));
  }
  return starts;
}

/// Recursive doubling of 8 bytes.
kernels::CollectiveCall call_of(int procs) {
  return {.problem = {.collective = Collective::allreduce, .procs = procs},
          .count = 8,
          .datatype = breakeven::Datatype::byte};
}

const kernels::Algorithm& algorithm() {
  return kernels::find_algorithm(Collective::allreduce, "recursive_doubling");
}

void count_messages(benchmark::State& state, int procs) {
  const auto rounds = std::bit_width(static_cast<unsigned>(procs)) - 1;
  state.SetItemsProcessed(state.iterations() * procs * rounds);
}

void uniform(benchmark::State& state) {
  const int procs = static_cast<int>(state.range(0));
  const kernels::CollectiveCall call = call_of(procs);
  const std::vector<sim::Ticks> starts = skewed(procs);
  for (auto _ : state) {
    // Its rounds are derived anew: all that a prediction takes.
    const auto rounds = sim::uniform_of(algorithm(), call.problem);
    benchmark::DoNotOptimize(sim::done_times(*rounds, call, kCluster, starts));
  }
  count_messages(state, procs);
}
BENCHMARK(uniform)->Arg(1024)->Arg(65536)->Arg(1 << 20);

void general(benchmark::State& state, const sim::Machine& machine) {
  const int procs = static_cast<int>(state.range(0));
  const kernels::CollectiveCall call = call_of(procs);
  const auto exchange = kernels::exchange_of(algorithm(), call.problem);
  const std::vector<sim::Ticks> starts = skewed(procs);
  for (auto _ : state)
    benchmark::DoNotOptimize(sim::done_times(exchange, call, machine, {.starts = starts}));
  count_messages(state, procs);
}
BENCHMARK_CAPTURE(general, loggp, kCluster)->Arg(1024)->Arg(65536);
BENCHMARK_CAPTURE(general, postal, kPostal)->Arg(1024)->Arg(65536);

}  // namespace

BENCHMARK_MAIN();
