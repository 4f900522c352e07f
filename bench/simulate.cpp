// SPDX-License-Identifier: BSD-3-Clause
// The cost of a simulated message. Ranks begin at different times: where all are alike, caches and
// branches flatter an engine.
#include <benchmark/benchmark.h>

#include <bit>

#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"
#include "sim/uniform.hpp"

namespace {

namespace kernels = breakeven::kernels;
namespace sim = breakeven::sim;
using breakeven::Collective;
using breakeven::Mapping;
using breakeven::Variant;

const sim::LogGP kCluster{.L = {2500e-9}, .o = {1500e-9}, .g = {1000e-9}, .G = {6e-9}};
const sim::Postal kPostal{{1e-6}, {1e-9}, {1e-10}};

const sim::TwoLevel kNodes{.latency_intra = {300e-9},
                           .latency_inter = {1000e-9},
                           .overhead = {100e-9},
                           .bus_per_byte = {1 / 5.6e9},
                           .card_per_byte = {1 / 3.2e9}};

std::vector<sim::Ticks> skewed(int procs) { return sim::starts_of({5e-6}, procs); }

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

/// An algorithm on 16 ranks of each node, with all that depends on the schedules made before.
void general(benchmark::State& state, std::string_view variant, const sim::Machine& machine,
             const Mapping& mapping, const sim::Noise& noise) {
  const int procs = static_cast<int>(state.range(0));
  const auto [found, params] =
      kernels::find_instance(Collective::allreduce, Variant::parse(variant));
  kernels::CollectiveCall call = call_of(procs);
  call.problem.params = params;
  call.problem.placement = {.procs_per_node = 16, .mapping = mapping};
  const auto exchange = kernels::exchange_of(*found, call.problem);
  const sim::Conditions conditions{.starts = skewed(procs), .noise = noise};
  for (auto _ : state) {
    benchmark::DoNotOptimize(sim::done_times(exchange, call, machine, conditions));
  }
  state.SetItemsProcessed(state.iterations() *
                          static_cast<std::int64_t>(exchange.transfers.size()));
}
#define BREAKEVEN_GENERAL(name, ...) \
  BENCHMARK_CAPTURE(general, name, __VA_ARGS__)->Arg(1024)->Arg(65536)
BREAKEVEN_GENERAL(loggp, "recursive_doubling", kCluster, Mapping::seq, {});
BREAKEVEN_GENERAL(loggp_halving, "halving_doubling", kCluster, Mapping::seq, {});
BREAKEVEN_GENERAL(loggp_noise, "recursive_doubling", kCluster, Mapping::seq,
                  {.rate_per_s = 1000, .mean = {2e-5}});
BREAKEVEN_GENERAL(postal, "recursive_doubling", kPostal, Mapping::seq, {});
BREAKEVEN_GENERAL(postal_matched, "recursive_multiplying", kPostal, Mapping::seq, {});
BREAKEVEN_GENERAL(two_level_seq, "recursive_doubling", kNodes, Mapping::seq, {});
BREAKEVEN_GENERAL(two_level_rr, "recursive_doubling", kNodes, Mapping::rr, {});

/// Schedules to what is simulated.
void exchange(benchmark::State& state) {
  const int procs = static_cast<int>(state.range(0));
  for (auto _ : state) {
    benchmark::DoNotOptimize(kernels::exchange_of(algorithm(), call_of(procs).problem));
  }
  count_messages(state, procs);
}
BENCHMARK(exchange)->Arg(1024)->Arg(65536);

}  // namespace

BENCHMARK_MAIN();
