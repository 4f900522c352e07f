// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/forecast.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace breakeven::tuner {
namespace {

constexpr std::size_t kMostSteps = 1U << 17U;

sim::MachineDescription postal(std::vector<double> alphas = {}) {
  sim::MachineDescription machine{.name = "a machine"};
  sim::Postal model{.alpha = {1e-6}, .beta_per_byte = {1e-9}};
  machine.general.machine = model;
  for (const double alpha : alphas) {
    model.alpha = {alpha};
    machine.general.replicates.emplace_back(model);
  }
  return machine;
}

ForecastCell cell_of(const ForecastQuestion& question, const sim::MachineDescription& machine,
                     int procs, Bytes message) {
  return forecast(question, machine, procs, std::vector{message}).front();
}

kernels::Instance variant(std::string_view name) {
  return kernels::find_instance(Collective::allreduce, Variant::parse(name));
}

TEST(Forecast, HasTheFastestFirst) {
  const auto cell = cell_of({.most_steps = kMostSteps}, postal(), 8, {1 << 20});
  EXPECT_TRUE(std::ranges::is_sorted(
      cell.times, {}, [](const Forecast& each) { return each.prediction.time.value; }));
  EXPECT_EQ(to_text(cell.fastest().variant), "halving_doubling");
  EXPECT_FALSE(cell.certainty());
}

TEST(Forecast, TriesTheBestStagesOfEachSize) {
  sim::MachineDescription machine{.name = "a machine"};
  machine.general.machine =
      sim::Pipelining{.alpha_r = {1e-7}, .beta_per_byte = {1e-9}, .alpha_p = {7e-7}};
  const std::vector<Bytes> sizes{{8}, {1 << 20}};
  const auto cells = forecast({.most_steps = kMostSteps}, machine, 64, sizes);
  for (const char* const stages : {"a8,a8", "a2,a2,a2,a2,a2,a2"}) {
    EXPECT_TRUE(std::ranges::any_of(cells.front().times, [&](const Forecast& each) {
      return to_text(each.variant) == "recursive_multiplying:stages=" + std::string{stages};
    })) << stages;
  }
}

TEST(Forecast, IsAsSureAsTheReplicates) {
  // 2 alpha + 1,024 beta against 6 alpha + 768 beta: even where alpha is 64 ns.
  const ForecastQuestion question{.variants = {variant("recursive_doubling"), variant("ring")},
                                  .most_steps = kMostSteps};
  const auto machine = postal({1e-6, 5e-8, 1.1e-6, 9e-7});
  const auto cell = cell_of(question, machine, 4, {512});
  EXPECT_EQ(to_text(cell.fastest().variant), "recursive_doubling");
  EXPECT_EQ(cell.certainty(), 0.75);
  const auto ratio = interval_of_ratio(cell.times[1], cell.times[0]);
  EXPECT_LT(ratio->low, 1.1);  // between 0.95 and 2.1, the two least
  EXPECT_GT(ratio->high, 1.9);
  const auto time = interval_of(cell.fastest());
  EXPECT_LT(time->low, cell.fastest().prediction.time.value);
  EXPECT_GT(time->high, cell.fastest().prediction.time.value);
}

TEST(Forecast, EqualSchedulesDoNotCompete) {
  // Fitted apart, elimination_21 is ahead of the same schedule on every second replicate.
  const ForecastQuestion question{
      .variants = {variant("recursive_doubling"), variant("elimination_21"), variant("ring")},
      .most_steps = kMostSteps};
  auto machine = postal({1e-6, 1e-6});
  machine.by_algorithm["allreduce/elimination_21"] = postal({1.1e-6, 0.9e-6}).general;
  const auto cell = cell_of(question, machine, 4, {8});
  EXPECT_EQ(cell.certainty(), 1);
  EXPECT_EQ(to_text(cell.next()->variant), "ring");
}

TEST(Forecast, ContainsTheModelsError) {
  // Ring takes 6.8 / 3 as long: 2.1 deviations of the difference of two errors.
  const ForecastQuestion question{
      .variants = {variant("recursive_doubling"), variant("ring"), variant("elimination_21")},
      .most_steps = kMostSteps};
  auto machine = postal();
  machine.limits.procs = 4;
  machine.errors = {{"", {.shared = 0.4, .own = 0.27, .cases = 9}},
                    {"allreduce/elimination_21", {.shared = 0.4, .own = 0.5, .cases = 3}}};
  const auto cell = cell_of(question, machine, 4, {512});
  EXPECT_NEAR(*cell.certainty(), 0.98, 0.015);  // elimination_21 does the same, with the same error
  const auto time = interval_of(cell.fastest());
  const double predicted = cell.fastest().prediction.time.value;
  const double factor = std::exp(1.96 * std::hypot(0.4, 0.27));
  EXPECT_NEAR(time->high / predicted / factor, 1, 0.15);
  EXPECT_NEAR(time->low / predicted * factor, 1, 0.15);
  const auto ratio = interval_of_ratio(cell.times[2], cell.fastest());
  EXPECT_NEAR(std::log(ratio->high / ratio->low), 2 * 1.96 * 0.27 * std::sqrt(2), 0.15);
  // Two doublings beyond: three times the variance.
  const auto beyond = interval_of(cell_of(question, machine, 16, {512}).fastest());
  EXPECT_NEAR(std::log(beyond->high / beyond->low) / std::log(time->high / time->low), std::sqrt(3),
              0.1);
}

TEST(Forecast, SaysWhatIsLeftOut) {
  const auto cell = cell_of({.most_steps = 100}, postal(), 64, {64});
  EXPECT_NE(std::ranges::find(cell.left_out, "hierarchical"), cell.left_out.end());
  EXPECT_THROW(static_cast<void>(cell_of({.variants = {variant("hierarchical")}, .most_steps = 100},
                                         postal(), 64, {64})),
               UsageError);
}

TEST(Forecast, SimulatesLogarithmicAlgorithmsOfManyRanksOnTwoLevels) {
  sim::MachineDescription machine{.name = "nodes"};
  machine.general.machine = sim::TwoLevel{.latency_intra = {1e-7}, .latency_inter = {1e-6}};
  const ForecastQuestion question{.placement = {.procs_per_node = 16}, .most_steps = 100};
  const auto cell = cell_of(question, machine, 256, {64});
  const auto left_out = [&](std::string_view name) {
    return std::ranges::find(cell.left_out, name) != cell.left_out.end();
  };
  EXPECT_FALSE(left_out("recursive_doubling"));
  EXPECT_FALSE(left_out("bine"));
  EXPECT_TRUE(left_out("pairwise_ring"));
}

TEST(Forecast, KnowsWhatWasMeasured) {
  const sim::Limits limits{.procs = 8, .procs_per_node = 2, .message_bytes = 4096};
  EXPECT_FALSE(beyond(limits, 8, 2, {4096}));
  EXPECT_EQ(beyond(limits, 9, 2, {8}), "p = 9 is beyond p = 8");
  EXPECT_EQ(beyond(limits, 8, 4, {8}), "4 processes per node are beyond 2");
  EXPECT_EQ(beyond(limits, 8, 1, {8192}), "8 KiB is beyond 4 KiB");
  EXPECT_FALSE(beyond({}, 1 << 20, 64, {1 << 30}));
}

}  // namespace
}  // namespace breakeven::tuner
