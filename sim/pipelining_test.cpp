// SPDX-License-Identifier: BSD-3-Clause
#include "sim/pipelining.hpp"

#include <gtest/gtest.h>

#include <string_view>

#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"

namespace breakeven::sim {
namespace {

constexpr double kAlpha = 1e-7;
constexpr double kBeta = 1e-10;
constexpr double kGamma = 1e-11;
constexpr double kLatency = 4e-7;
constexpr double kLatencyPerByte = 3e-10;
constexpr Pipelining kMachine{.alpha = {kAlpha},
                              .beta_per_byte = {kBeta},
                              .gamma_per_byte = {kGamma},
                              .latency = {kLatency},
                              .latency_per_byte = {kLatencyPerByte}};
constexpr double kBytes = 8.0 * (1 << 16);

double time_of(Collective collective, std::string_view variant, int procs) {
  const auto [algorithm, params] = kernels::find_variant(collective, variant);
  const kernels::Problem problem{.collective = collective, .procs = procs, .params = params};
  const auto world = kernels::world_of(*algorithm, problem);
  return finish_time(kernels::make_exchange(problem, world),
                     {.problem = problem, .count = 1 << 16, .datatype = Datatype::double_},
                     kMachine)
      .value;
}

/// A stage of f processes as the source states it, with its reductions.
double stage(int f) {
  return kLatency + kBytes * kLatencyPerByte +
         (f - 1) * (kAlpha + kBytes * kBeta + kBytes * kGamma);
}

TEST(Pipelining, TakesTheLatencyOfARoundOnce) {
  const auto stages = [](std::string_view lists, int procs) {
    return time_of(Collective::allreduce,
                   std::string{"recursive_multiplying:stages="}.append(lists), procs);
  };
  EXPECT_NEAR(stages("a8", 8), stage(8), 1e-15);
  EXPECT_NEAR(stages("a2,a4", 8), stage(2) + stage(4), 1e-15);
  EXPECT_NEAR(stages("a4,a4,a4", 64), 3 * stage(4), 1e-15);
}

TEST(Pipelining, LetsTheSegmentsOfABroadcastOverlap) {
  constexpr int kSegments = 4;
  const double piece = kBytes / kSegments;
  EXPECT_NEAR(time_of(Collective::bcast, "binomial:segments=4", 2),
              kSegments * (kLatency + kAlpha + piece * (kLatencyPerByte + kBeta)), 1e-15);
  EXPECT_LT(time_of(Collective::bcast, "binomial:segments=4", 8),
            time_of(Collective::bcast, "binomial", 8));
}

}  // namespace
}  // namespace breakeven::sim
