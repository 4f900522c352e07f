// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <string_view>

#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"
#include "sim/machine.hpp"

namespace breakeven::sim {
namespace {

constexpr double kAlpha = 1e-7;
constexpr double kBeta = 1e-10;
constexpr double kGamma = 1e-11;
constexpr double kLatency = 4e-7;
constexpr double kLatencyPerByte = 3e-10;
constexpr Pipelining kMachine{.alpha_r = {kAlpha},
                              .beta_per_byte = {kBeta},
                              .gamma_per_byte = {kGamma},
                              .alpha_p = {kLatency},
                              .latency_per_byte = {kLatencyPerByte}};
constexpr double kBytes = 8.0 * (1 << 16);

double time_of(Collective collective, std::string_view variant, int procs) {
  const auto [algorithm, params] = kernels::find_instance(collective, Variant::parse(variant));
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
              kSegments * (kAlpha + piece * kBeta) + kLatency + piece * kLatencyPerByte, 1e-14);
  EXPECT_LT(time_of(Collective::bcast, "binomial:segments=4", 8),
            time_of(Collective::bcast, "binomial", 8));
}

/// The least time in [ruefenacht2017], Table 1, of a Cray XC30, for 8 bytes.
Seconds of_table_1(std::string_view stages, int procs, double first_is_free = 0) {
  const auto [algorithm, params] = kernels::find_instance(
      Collective::allreduce, Ours{"recursive_multiplying", std::string{"stages="}.append(stages)});
  const kernels::Problem problem{
      .collective = Collective::allreduce, .procs = procs, .params = params};
  const Pipelining machine{
      .alpha_r = {0.34e-6}, .alpha_p = {1.34e-6}, .first_is_free = first_is_free};
  return finish_time(kernels::make_exchange(problem, kernels::world_of(*algorithm, problem)),
                     {.problem = problem, .count = 1, .datatype = Datatype::double_}, machine);
}

TEST(Pipelining, PredictsTheSchedulesOfTable2) {
  struct Row {
    int procs;
    std::string_view best;
    double best_us, first_is_free_us;
  };
  for (const Row& row :
       {Row{4, "a4", 2.36, 2.02}, Row{6, "a6", 3.04, 2.70}, Row{8, "a2,a4", 4.04, 3.36},
        Row{12, "a3,a4", 4.38, 3.70}, Row{16, "a4,a4", 4.72, 4.04}, Row{24, "a4,a6", 5.40, 4.72},
        Row{32, "a8,a4", 6.08, 5.40}, Row{48, "a8,a6", 6.76, 6.08}, Row{64, "a8,a8", 7.44, 6.76},
        Row{96, "a8,a3,a4", 8.10, 7.08}, Row{128, "a8,a4,a4", 8.44, 7.42}}) {
    EXPECT_NEAR(1e6 * of_table_1(row.best, row.procs).value, row.best_us, 1e-9) << row.procs;
    EXPECT_NEAR(1e6 * of_table_1(row.best, row.procs, 1).value, row.first_is_free_us, 1e-9)
        << row.procs;
  }
}

/// The simulator of [ruefenacht2017], section 6: 8 bytes, a reduction of 10 ns a stage.
Trace simulated(std::string_view stages, int procs) {
  const auto [algorithm, params] = kernels::find_instance(
      Collective::allreduce, Ours{"recursive_multiplying", std::string{"stages="}.append(stages)});
  const kernels::Problem problem{
      .collective = Collective::allreduce, .procs = procs, .params = params};
  return trace(kernels::make_exchange(problem, kernels::world_of(*algorithm, problem)),
               {.problem = problem, .count = 1, .datatype = Datatype::double_},
               Pipelining{.alpha_r = {100e-9},
                          .alpha_p = {500e-9},
                          .latency_per_byte = {0.4e-9},
                          .free_receives = 1});
}

TEST(Pipelining, SkewsRanksAsTheSourcesSimulator) {
  // Without the reductions, which it counts once a stage: 1426.4 ns are 1406.4 here.
  constexpr double kTicksPerNano = 1e6;
  const Trace merged = simulated("m1g2a3,n1g3a2", 7);
  EXPECT_NEAR(static_cast<double>(merged.end()) / kTicksPerNano, 1406.4, 1e-6);
  EXPECT_NEAR(static_cast<double>(merged.skew()) / kTicksPerNano, 100, 1e-6);
  const Trace three = simulated("m3g2a2,n3g2a2", 7);
  EXPECT_NEAR(static_cast<double>(three.skew()) / kTicksPerNano, 200, 1e-6);
  EXPECT_NEAR(static_cast<double>(simulated("a2,a2,a2", 8).end()) / kTicksPerNano, 1809.6, 1e-6);
  EXPECT_NEAR(static_cast<double>(simulated("a8", 8).end()) / kTicksPerNano, 1203.2, 1e-6);
  const Trace split = simulated("c6m2,a2,a2,e6m2", 7);
  EXPECT_NEAR(static_cast<double>(split.end()) / kTicksPerNano, 2452.8 - 40, 1e-6);
}

}  // namespace
}  // namespace breakeven::sim
