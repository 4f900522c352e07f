// SPDX-License-Identifier: BSD-3-Clause
#include "sim/uniform.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"

namespace breakeven::sim {
namespace {

const LogGP kLogGP{
    .L = {2500e-9}, .o = {1500e-9}, .g = {1000e-9}, .G = {6e-9}, .gamma_per_byte = {1e-9}};

/// Some tens of microseconds apart.
std::vector<Ticks> skewed(int procs) {
  std::vector<Ticks> starts;
  for (std::int64_t i = 0; i < procs; ++i) starts.push_back(i * 7919 % 97 * 1'000'000'000);
  return starts;
}

TEST(Uniform, DoesAsTheGeneralEngineWhereverItIsFound) {
  LogGP rendezvous = kLogGP;
  rendezvous.S = 1;
  const std::vector<Machine> machines{
      kLogGP, rendezvous, Postal{{1e-6}, {1e-9}, {1e-10}},
      Pipelining{.alpha_r = {1e-7}, .beta_per_byte = {1e-9}, .alpha_p = {5e-7}}};
  std::set<std::string> found;
  for (const auto& [collective, name] : kCollectives.entries) {
    for (const kernels::Algorithm* const algorithm : kernels::catalogue(collective)) {
      for (int procs = 2; procs <= 64; ++procs) {
        const kernels::Problem problem{.collective = collective, .procs = procs};
        if (!kernels::runs(*algorithm, problem)) continue;
        const auto uniform = uniform_of(*algorithm, problem);
        if (!uniform) continue;
        found.insert(std::string{name} + '/' + std::string{algorithm->name});
        const auto exchange =
            kernels::make_exchange(problem, kernels::world_of(*algorithm, problem));
        const kernels::CollectiveCall call{
            .problem = problem, .count = uniform->blocks * 24, .datatype = Datatype::byte};
        for (const Machine& machine : machines) {
          EXPECT_EQ(done_times(*uniform, call, machine, skewed(procs)),
                    done_times(exchange, call, machine, {.starts = skewed(procs)}))
              << name << '/' << algorithm->name << " p = " << procs << ' ' << to_text(machine);
        }
      }
    }
  }
  EXPECT_TRUE(found.contains("allreduce/recursive_doubling"));
  EXPECT_TRUE(found.contains("allreduce/ring"));
  EXPECT_TRUE(found.contains("barrier/dissemination"));
}

/// [hoefler2010]'s values for a cluster: a message of 8 bytes takes 5,542 ns.
TEST(Uniform, TakesWhatLogGPSaysAtAMillionRanks) {
  const LogGP cluster{.L = {2500e-9}, .o = {1500e-9}, .g = {1000e-9}, .G = {6e-9}};
  constexpr Ticks kRound = Ticks{5542} * 1'000'000;
  const auto uniform = [](std::string_view variant, int procs) {
    const auto [algorithm, params] =
        kernels::find_instance(Collective::allreduce, Variant::parse(variant));
    return uniform_of(*algorithm,
                      {.collective = Collective::allreduce, .procs = procs, .params = params});
  };
  const auto call = [](int procs, std::int64_t bytes) {
    return kernels::CollectiveCall{.problem = {.collective = Collective::allreduce, .procs = procs},
                                   .count = bytes,
                                   .datatype = Datatype::byte};
  };
  for (const std::string_view variant : {"recursive_doubling", "dissemination:n=1"}) {
    for (int lg = 10; lg <= 20; ++lg) {
      const int procs = 1 << lg;
      const auto rounds = uniform(variant, procs);
      ASSERT_TRUE(rounds);
      const std::vector<Ticks> none(static_cast<std::size_t>(procs), 0);
      EXPECT_EQ(done_times(*rounds, call(procs, 8), cluster, none),
                std::vector<Ticks>(none.size(), lg * kRound));
    }
  }
  for (const int procs : {9, 12, 17, 1 << 12}) {
    const auto rounds = uniform("ring", procs);
    ASSERT_TRUE(rounds);
    const std::vector<Ticks> none(static_cast<std::size_t>(procs), 0);
    EXPECT_EQ(done_times(*rounds, call(procs, std::int64_t{8} * procs), cluster, none),
              std::vector<Ticks>(none.size(), 2 * (procs - 1) * kRound));
  }
}

}  // namespace
}  // namespace breakeven::sim
