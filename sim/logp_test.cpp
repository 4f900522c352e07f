// SPDX-License-Identifier: BSD-3-Clause
// LogP, LogGP and LogfP: whole femtoseconds, so closed forms come out exactly.
#include <gtest/gtest.h>

#include <string_view>

#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"
#include "sim/machine.hpp"
#include "sim/models.hpp"

namespace breakeven::sim {
namespace {

/// Of a cluster's InfiniBand, as [hoefler2010] has them.
constexpr LogGP kCluster{.L = {2500e-9}, .o = {1500e-9}, .g = {1000e-9}, .G = {6e-9}};
constexpr Ticks kNano = 1'000'000;

Trace trace_of(Collective collective, std::string_view variant, int procs, std::int64_t bytes,
               const Machine& machine, std::vector<Ticks> starts = {}) {
  const auto [algorithm, params] = kernels::find_instance(collective, Variant::parse(variant));
  const kernels::Problem problem{.collective = collective, .procs = procs, .params = params};
  const auto world = kernels::world_of(*algorithm, problem);
  return trace(kernels::make_exchange(problem, world),
               {.problem = problem, .count = bytes, .datatype = Datatype::byte}, machine,
               {.starts = std::move(starts)});
}

Ticks allreduce(std::string_view variant, int procs, std::int64_t bytes, const Machine& machine) {
  return trace_of(Collective::allreduce, variant, procs, bytes, machine).end();
}

TEST(LogGP, AMessageOf8BytesTakes5542NanosecondsARound) {
  for (int lg = 1; lg <= 13; ++lg) {
    EXPECT_EQ(allreduce("recursive_doubling", 1 << lg, 8, kCluster), lg * 5542 * kNano);
    EXPECT_EQ(allreduce("dissemination:n=1", 1 << lg, 8, kCluster), lg * 5542 * kNano);
  }
  for (const int procs : {9, 12, 17, 64, 512}) {
    // Blocks of 8 bytes, so that every one of 2(p-1) rounds carries one.
    EXPECT_EQ(allreduce("ring", procs, std::int64_t{8} * procs, kCluster),
              2 * (procs - 1) * 5542 * kNano);
  }
}

TEST(LogGP, TheOtherConventionTakesAGapForEveryReceive) {
  LogGP machine = kCluster;
  machine.per_receive = 1;
  EXPECT_EQ(allreduce("recursive_doubling", 1024, 8, machine), 10 * 6542 * kNano);
}

TEST(LogGP, AMessageWithoutBytesIsNotCheaperThanOfOne) {
  EXPECT_EQ(allreduce("recursive_doubling", 16, 0, kCluster),
            allreduce("recursive_doubling", 16, 1, kCluster));
}

TEST(LogGP, ARootTakesMoreThan16ReadyMessagesOneAfterTheOther) {
  // All 39 arrive at once: o + L, then each takes o + 7 G, and the next begins g + 7 G later.
  EXPECT_EQ(trace_of(Collective::gather, "linear", 40, 8, kCluster).done[0],
            (1500 + 2500 + 39 * 1542) * kNano);
}

TEST(LogGP, AboveTheThresholdASenderWaitsForItsReceiver) {
  LogGP machine = kCluster;
  const std::vector<Ticks> late{0, 50'000 * kNano};  // the receiver
  const auto begin = [&] {
    return trace_of(Collective::bcast, "binomial", 2, 1024, machine, late).messages[0].begin;
  };
  EXPECT_EQ(begin(), 0);
  machine.S = 512;
  EXPECT_EQ(begin(), late[1]);
  machine.S = 1024;
  EXPECT_EQ(begin(), 0);
}

TEST(LogP, ARootSendsWithAGap) {
  const LogP machine{.L = {5e-6}, .o = {1e-6}, .g = {3e-6}};
  const auto last = [](const Machine& of) {
    return trace_of(Collective::scatter, "linear", 5, 8, of).end();
  };
  EXPECT_EQ(last(machine), (3 * 3000 + 1000 + 5000 + 1000) * kNano);
  EXPECT_EQ(last(LogfP{.L = {5e-6}, .o = {1e-6}, .g = {3e-6}, .f = 4}),
            (3 * 1000 + 1000 + 5000 + 1000) * kNano);
}

}  // namespace
}  // namespace breakeven::sim
