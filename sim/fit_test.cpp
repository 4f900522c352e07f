// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "core/error.hpp"
#include "kernels/build.hpp"
#include "kernels/pattern.hpp"
#include "stats/quantile.hpp"
#include "stats/random.hpp"

namespace breakeven::sim {
namespace {

constexpr int kProcs = 4;

std::vector<Case> patterns() {
  std::vector<Case> all;
  for (std::int64_t bytes = 8; bytes <= 1 << 20; bytes *= 4) {
    for (const auto& [name, params] : std::vector<std::pair<std::string, std::string>>{
             {"ping_pong", "times=16"},
             {"stream", "times=16"},
             {"stream_delayed", "times=16"},
             {"reduction", "times=16"},
             {"exchange", "times=16"},
             {"exchange", "peers=3,times=16"},
             {"multicast", "peers=3,times=16"},
             {"multicast_blocking", "peers=3,times=16"}}) {
      all.push_back({.collective = Collective::allreduce,
                     .variant = Variant::of(name, params),
                     .procs = kProcs,
                     .procs_per_node = kProcs,
                     .message = {bytes},
                     .datatype = Datatype::double_,
                     .op = Op::sum});
    }
  }
  return all;
}

/// The patterns' times on a machine whose launches differ, for each pattern independently.
std::vector<Observed> observed(const Machine& machine, int launches, double noise,
                               std::uint64_t seed, const std::vector<Case>& cases = patterns()) {
  std::mt19937_64 random{seed};
  std::vector<Observed> all;
  for (const Case& what : cases) {
    const kernels::Problem problem = kernels::problem_of(what);
    const auto exchange = kernels::exchange_of(kernels::algorithm_of(what), problem);
    const double time = finish_time(exchange,
                                    {.problem = problem,
                                     .count = what.message.value / 8,
                                     .datatype = what.datatype,
                                     .op = what.op},
                                    machine)
                            .value;
    Observed& each = all.emplace_back(Observed{.what = what});
    for (int launch = 0; launch < launches; ++launch) {
      each.by_launch_s.push_back(time * std::exp(noise * stats::standard_normal(random)));
    }
  }
  return all;
}

double value(const Parameters& parameters, std::string_view key) {
  const auto keys = keys_of(parameters);
  return std::ranges::find(keys, key, &ModelKey::key)->value;
}

/// Of a machine's first range.
void expect_parameters(const Machine& fitted, const Machine& truth, double tolerance) {
  ASSERT_EQ(fitted.model(), truth.model());
  ASSERT_EQ(fitted.ranges.size(), truth.ranges.size());
  for (std::size_t i = 0; i < truth.ranges.size(); ++i) {
    EXPECT_EQ(fitted.ranges[i].up_to_bytes, truth.ranges[i].up_to_bytes);
    for (const ModelKey& each : keys_of(truth.ranges[i].parameters)) {
      const double found = value(fitted.ranges[i].parameters, each.key);
      EXPECT_NEAR(found, each.value, tolerance * each.value + 1e-15)
          << truth.model() << " " << each.key << " of range " << i << ", truly " << to_text(truth)
          << ", fitted " << to_text(fitted);
    }
  }
}

const Postal kPostal{.alpha = {1e-6},
                     .beta_per_byte = {2e-10},
                     .gamma_per_byte = {5e-11},
                     .f_alpha = 0.7,
                     .f_beta = 0.8};

TEST(Fit, FindsTheParametersOfEachModel) {
  const std::vector<Machine> machines{
      kPostal,
      Pipelining{.alpha_r = {3e-7},
                 .beta_per_byte = {1e-10},
                 .gamma_per_byte = {5e-11},
                 .alpha_p = {1.2e-6},
                 .latency_per_byte = {2e-10}},
      LogP{.L = {1e-6}, .o = {4e-7}, .g = {5e-7}, .gamma_per_byte = {5e-11}},
      LogGP{.L = {1e-6},
            .o = {4e-7},
            .g = {5e-7},
            .G = {2e-10},
            .O = {1e-11},
            .gamma_per_byte = {5e-11}},
      LogfP{.L = {1e-6}, .o = {4e-7}, .g = {5e-7}, .f = 3, .gamma_per_byte = {5e-11}}};
  for (const Machine& machine : machines) {
    const Fitting fitting{observed(machine, 3, 0, 1)};
    const FittedModel fitted = fitting.fit(machine.model(), {});
    EXPECT_LT(fitted.median_difference(), 2e-3) << to_text(machine);
    expect_parameters(fitted.machine.machine, machine, 0.02);
  }
}

TEST(Fit, TellsHowLaunchesDifferAsAWhole) {
  std::vector<Observed> all = observed(kPostal, 3, 0.01, 1);
  for (Observed& each : all) {
    each.by_launch_s[0] *= 2;
    each.by_launch_s[2] = std::numeric_limits<double>::quiet_NaN();
  }
  EXPECT_NEAR(Fitting{all}.launch_deviation(), std::log(2) / std::sqrt(2), 0.02);
  EXPECT_LT(Fitting{observed(kPostal, 3, 0.01, 1)}.launch_deviation(), 0.01);
}

TEST(Fit, HasParametersOfTheirOwnForEachProtocol) {
  Machine machine;
  machine.ranges = {{kPostal, 2048},
                    {Postal{.alpha = {8e-6}, .beta_per_byte = {1e-10}, .gamma_per_byte = {7e-11}}}};
  const Fitting fitting{observed(machine, 3, 0, 1)};
  EXPECT_EQ(fitting.range_ends(), std::vector<double>{2048});
  expect_parameters(fitting.fit("postal", fitting.range_ends()).machine.machine, machine, 0.02);
}

TEST(Fit, IsNotBentByWhatAModelCanNotExpress) {
  std::vector<Observed> all = observed(kPostal, 3, 0, 1);
  for (Observed& each : all) {
    if (each.what.variant.params() != "peers=3,times=16" ||
        each.what.variant.algorithm() != "exchange")
      continue;
    for (double& time : each.by_launch_s) time *= 4;
  }
  const Fitting fitting{std::move(all)};
  expect_parameters(fitting.fit("postal", {}).machine.machine, kPostal, 0.1);
}

TEST(Fit, HasIntervalsThatCover) {
  constexpr int kStudies = 60;
  int covered = 0;
  int all = 0;
  for (int study = 0; study < kStudies; ++study) {
    const Fitting fitting{observed(kPostal, 10, 0.05, static_cast<std::uint64_t>(study + 1))};
    const FittedModel fitted = fitting.fit("postal", {});
    for (const std::string_view key : {"alpha", "beta", "gamma", "f_alpha", "f_beta"}) {
      std::vector<double> values;
      for (const Machine& each : fitted.machine.replicates) {
        values.push_back(value(each.ranges.front().parameters, key));
      }
      std::ranges::sort(values);
      const double truth = value(Parameters{kPostal}, key);
      ++all;
      covered += stats::quantile_of_sorted(values, 0.025) <= truth &&
                         truth <= stats::quantile_of_sorted(values, 0.975)
                     ? 1
                     : 0;
    }
  }
  EXPECT_GT(covered, 0.88 * all);
  EXPECT_LT(covered, all);
}

TEST(Fit, HasTheValuesThemselvesInIntervalsOfAlikeLaunches) {
  // Four processes that share a bus: the other models can't express that.
  const TwoLevel node{.latency_intra = {3e-7},
                      .overhead = {1e-7},
                      .bus_per_byte = {2e-10},
                      .card_per_byte = {3e-10}};
  const Fitting fitting{observed(node, 3, 0, 1)};
  for (const std::string_view model : model_names()) {
    const FittedMachine fitted = fitting.fit(model, {}).machine;
    const Parameters& replicate = fitted.replicates.front().ranges.front().parameters;
    for (const ModelKey& each : keys_of(fitted.machine.ranges.front().parameters)) {
      EXPECT_NEAR(value(replicate, each.key), each.value, 1e-9 * each.value)
          << model << " " << each.key;
    }
  }
}

TEST(Fit, GivesAnAlgorithmParametersOfItsOwnWhereTheyAreBetter) {
  std::vector<Case> rings = patterns();
  std::erase_if(rings, [](const Case& each) { return each.variant.algorithm() != "ping_pong"; });
  std::vector<Case> doublings = rings;
  for (Case& each : rings) each.variant = Ours{"ring"};
  for (Case& each : doublings) each.variant = Ours{"recursive_doubling"};
  for (std::vector<Case>* const cases : {&rings, &doublings}) {
    for (Case& each : *cases) each.variant = each.variant.with_params("");
  }
  Postal slower = kPostal;
  slower.alpha = {3 * kPostal.alpha.value};
  std::vector<Observed> all = observed(kPostal, 5, 0.01, 1);
  for (const auto& [machine, cases] : {std::pair{slower, rings}, std::pair{kPostal, doublings}}) {
    const std::vector<Observed> more = observed(machine, 5, 0.01, 2, cases);
    all.insert(all.end(), more.begin(), more.end());
  }
  const Fitting fitting{std::move(all)};
  const std::vector<FittedAlgorithm> fitted =
      fitting.fit_algorithms(fitting.fit("postal", {}).machine);
  ASSERT_EQ(fitted.size(), 2);
  EXPECT_EQ(fitted[0].what.variant.algorithm(), "ring");
  ASSERT_TRUE(fitted[0].has_own);
  EXPECT_GT(fitted[0].difference, 0.3);
  EXPECT_LT(fitted[0].held_out, 0.03);
  EXPECT_EQ(fitted[0].machine.replicates.size(), 199);
  EXPECT_NEAR(value(fitted[0].machine.machine.at(0), "alpha"), slower.alpha.value,
              0.05 * slower.alpha.value);
  EXPECT_NEAR(value(fitted[0].machine.machine.at(0), "beta"), 2e-10, 0.1e-10);
  EXPECT_FALSE(fitted[1].has_own);
  EXPECT_LT(fitted[1].difference, 0.03);
}

TEST(Fit, RefusesToGuess) {
  std::vector<Observed> all = observed(kPostal, 1, 0, 1);
  EXPECT_TRUE(Fitting{all}.fit("postal", {}).machine.replicates.empty());
  std::vector<Observed> without = all;
  std::erase_if(without,
                [](const Observed& each) { return each.what.variant.algorithm() == "ping_pong"; });
  EXPECT_THROW(Fitting{without}, UsageError);
  all.front().by_launch_s.front() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(Fitting{all}, UsageError);
}

}  // namespace
}  // namespace breakeven::sim
