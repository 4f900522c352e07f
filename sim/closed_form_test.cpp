// SPDX-License-Identifier: BSD-3-Clause
#include "sim/closed_form.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"
#include "sim/algorithm_times.hpp"

namespace breakeven::sim {
namespace {

constexpr std::size_t kAll = std::size_t{1} << 20U;

TEST(BestFanOut, IsThatOfEquationFive) {
  const std::vector<std::pair<double, double>> table{
      {1, 1.718}, {1.5, 2.181}, {2, 2.591}, {3, 3.319},  {3.941, 3.934}, {3.974, 3.954}, {4, 3.971},
      {5, 4.572}, {6, 5.138},   {8, 6.193}, {10, 7.174}, {16, 9.842},    {32, 15.942}};
  for (const auto& [rho, b] : table) EXPECT_NEAR(best_fan_out(rho), b, 1e-3) << rho;
  // the other reading
  const std::vector<std::pair<double, double>> other{{1, 0},     {1.5, 1.156}, {2, 1.718},
                                                     {4, 3.319}, {8, 5.677},   {32, 15.587}};
  for (const auto& [rho, b] : other) EXPECT_NEAR(best_fan_out(rho - 1), b, 1e-3) << rho;
}

TEST(BestFanOut, CostsLeast) {
  const auto cost = [](double rho, double b) { return (rho + b) / std::log(b + 1); };
  for (double rho = 1; rho < 40; rho += 0.7) {
    const double best = best_fan_out(rho);
    EXPECT_LT(cost(rho, best), cost(rho, best * 1.01)) << rho;
    EXPECT_LT(cost(rho, best), cost(rho, best * 0.99)) << rho;
  }
}

/// Calls `check` with every problem of the catalogue of which the source states a time.
template <typename Check>
void for_stated(const Machine& machine, const Check& check) {
  for (const auto& [collective, name] : kCollectives.entries) {
    if (irregular(collective)) continue;
    for (const kernels::Algorithm* const algorithm : kernels::catalogue(collective)) {
      for (int procs = 2; procs <= 33; ++procs) {
        const kernels::Problem problem{.collective = collective, .procs = procs};
        if (!kernels::runs(*algorithm, problem)) continue;
        AlgorithmTimes times{*algorithm, problem, kAll};
        const auto call = times.call_of({std::int64_t{procs} * 64});
        const auto stated = times.stated(call, machine);
        if (!stated) continue;
        SCOPED_TRACE(fmt::format("{}/{} p = {}", name, algorithm->name, procs));
        check(*algorithm, problem, stated->value, times.at(call, machine)->time.value);
      }
    }
  }
}

TEST(ClosedForm, IsWhatTheSimulationSaysOfAlgorithmsWithoutBounds) {
  std::set<std::string_view> exact;
  const Machine postal =
      Postal{.alpha = {1e-6}, .beta_per_byte = {1e-9}, .gamma_per_byte = {2e-10}};
  for_stated(postal, [&](const kernels::Algorithm& algorithm, const kernels::Problem& problem,
                         double stated, double simulated) {
    const kernels::Formula formula = algorithm.formula(problem);
    if (formula.sent_at_most || formula.reduced_at_most || formula.rounds) {
      EXPECT_LE(simulated, stated * (1 + 1e-9));
    } else {
      EXPECT_NEAR(simulated, stated, stated * 1e-9);
      exact.insert(algorithm.name);
    }
  });
  EXPECT_TRUE(exact.contains("halving_doubling"));
  EXPECT_TRUE(exact.contains("pairwise_ring"));
}

TEST(ClosedForm, KnowsWhatGoesOneWay) {
  const Machine simplex = Postal{.alpha = {1e-6},
                                 .beta_per_byte = {1e-9},
                                 .gamma_per_byte = {2e-10},
                                 .f_alpha = 0.5,
                                 .f_beta = 0.6};
  std::set<std::string_view> exact;
  for_stated(simplex, [&](const kernels::Algorithm& algorithm, const kernels::Problem& problem,
                          double stated, double simulated) {
    if (algorithm.source.find("rabenseifner2004") == std::string_view::npos) return;
    if (!kernels::kPowerOfTwo.met(problem.procs)) return;  // its folding takes one way for both
    EXPECT_NEAR(simulated, stated, stated * 1e-9);
    exact.insert(algorithm.name);
  });
  EXPECT_TRUE(exact.contains("reduce_bcast"));
  EXPECT_TRUE(exact.contains("halving_doubling"));
}

TEST(ClosedForm, OfStagesIsThePipeliningModelsSum) {
  const Machine archer =
      Pipelining{.alpha_r = {0.34e-6}, .beta_per_byte = {1e-10}, .alpha_p = {1.34e-6}};
  const auto [algorithm, params] = kernels::find_instance(
      Collective::allreduce, Variant::parse("recursive_multiplying:stages=a8,a3,a4"));
  AlgorithmTimes times{
      *algorithm, {.collective = Collective::allreduce, .procs = 96, .params = params}, kAll};
  const auto call = times.call_of({8});
  const double stated = times.stated(call, archer)->value;
  EXPECT_NEAR(stated, 3 * 1.34e-6 + 12 * (0.34e-6 + 8e-10), 1e-15);
  EXPECT_NEAR(times.at(call, archer)->time.value, stated, 1e-15);
}

TEST(ClosedForm, OfTheRingOnNodesCountsWhatTheirBusesCarry) {
  const TwoLevel machine{.latency_intra = {3e-7},
                         .latency_inter = {1e-6},
                         .overhead = {1e-7},
                         .bus_per_byte = {1 / 5.6e9},
                         .card_per_byte = {1 / 3.2e9}};
  constexpr int kNodes = 4;
  constexpr Bytes kVector{std::int64_t{16} << 20U};
  for (const int cores : {2, 4, 8}) {
    const auto stated = [&](const Mapping& mapping, std::string_view params) {
      const kernels::Problem problem{.collective = Collective::allreduce,
                                     .procs = kNodes * cores,
                                     .params = kernels::Params::parse(params),
                                     .placement = {.procs_per_node = cores, .mapping = mapping}};
      AlgorithmTimes times{kernels::find_algorithm(Collective::allreduce, "ring"), problem, kAll};
      const auto call = times.call_of(kVector);
      const double time = times.stated(call, machine)->value;
      EXPECT_NEAR(time / times.at(call, machine)->time.value, 1, 0.06) << cores;
      return time;
    };
    const double seq = stated(Mapping::seq, "");
    const double rr = stated(Mapping::rr, "");
    EXPECT_NEAR(rr / seq, 2. * cores / (cores + 1), 0.01);
    EXPECT_EQ(stated(Mapping::rr, "reorder_ranks=seq"), seq);  // f_SQ
    EXPECT_EQ(stated(Mapping::seq, "reorder_ranks=rr"), rr);   // f_RR
  }
}

TEST(AlgorithmTimes, SaysHowATimeCameAbout) {
  const Machine machine = LogGP{.L = {2500e-9}, .o = {1500e-9}, .g = {1000e-9}, .G = {6e-9}};
  const auto predicted = [&](std::string_view name, int procs, std::int64_t bytes,
                             std::size_t most = kAll) {
    const auto [algorithm, params] =
        kernels::find_instance(Collective::allreduce, Variant::parse(name));
    AlgorithmTimes times{
        *algorithm, {.collective = Collective::allreduce, .procs = procs, .params = params}, most};
    return times.at(times.call_of({bytes}), machine);
  };
  EXPECT_EQ(predicted("ring", 8, 64)->basis, Basis::simulated);
  EXPECT_EQ(predicted("ring", 8, 801)->basis, Basis::simulated);  // blocks of 100 and of 101
  // Some block of 101 bytes is on its way in every round, so the bound is reached.
  EXPECT_EQ(predicted("ring", 8, 801, 10)->basis, Basis::at_most);
  EXPECT_EQ(predicted("ring", 8, 801, 10)->time, predicted("ring", 8, 801)->time);
  EXPECT_EQ(predicted("ring", 8, 9, 10)->basis, Basis::formula);  // blocks of 1 and of 2
  EXPECT_EQ(predicted("ring", 1 << 20, 1 << 20)->basis, Basis::formula);
  EXPECT_EQ(predicted("reduce_bcast", 8, 64, 10)->basis, Basis::formula);
  EXPECT_FALSE(predicted("hierarchical", 8, 64, 10));
}

TEST(AlgorithmTimes, OfUnequalCountsAreThoseOfTheLongestAtMost) {
  const Machine machine = Postal{.alpha = {1e-6}, .beta_per_byte = {1e-9}};
  const kernels::Algorithm& ring = kernels::find_algorithm(Collective::allgatherv, "ring");
  const auto predicted = [&](std::vector<std::int64_t> begins, std::size_t most) {
    AlgorithmTimes times{ring, {.collective = Collective::allgatherv, .procs = 4}, most};
    auto call = times.call_of({100});
    call.begins = std::move(begins);
    return times.at(call, machine);
  };
  // Some block of 250 bytes is on its way in every round.
  EXPECT_EQ(predicted({0, 50, 100, 150, 400}, kAll)->basis, Basis::simulated);
  EXPECT_NEAR(predicted({0, 50, 100, 150, 400}, kAll)->time.value, 3 * 1.25e-6, 1e-15);
  EXPECT_EQ(predicted({0, 50, 100, 150, 400}, 1)->basis, Basis::at_most);
  EXPECT_NEAR(predicted({0, 50, 100, 150, 400}, 1)->time.value, 3 * 1.25e-6, 1e-15);
  EXPECT_EQ(predicted({0, 100, 200, 300, 400}, 1)->basis, Basis::simulated);
}

}  // namespace
}  // namespace breakeven::sim
