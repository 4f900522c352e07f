// SPDX-License-Identifier: BSD-3-Clause
// Sweeps of model machines with noise, pruned by models that are wrong: is the winner kept, and
// what is saved? docs/results/prediction.md has the figures.
#include "harness/session/pruning.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>

#include "harness/plan/model_machine.hpp"
#include "harness/plan/predictor.hpp"
#include "harness/session/agenda.hpp"
#include "stats/median.hpp"

namespace breakeven::session {
namespace {

constexpr std::string_view kTruth = "loggp:L=1e-5,o=2e-6,g=2e-6,G=1e-9,gamma=2e-10";
constexpr std::string_view kNoise = ",noise=0.05,launch_noise=0.02,spike_rate=0.01,spike_factor=5";

/// A sweep of the true machine that stores nothing: what it measures, and what that costs.
class PrunedSweep {
 public:
  /// @param launches  of each case; nothing: as racing has it
  explicit PrunedSweep(const std::string& prune_by, std::optional<int> launches = {})
      : truth_{plan::parse_model(std::string{kTruth} + std::string{kNoise})} {
    sweep_.machine = std::string{kTruth} + std::string{kNoise};
    sweep_.collectives = {Collective::allreduce, Collective::bcast, Collective::allgather,
                          Collective::reduce_scatter_block};
    sweep_.procs = {8, 12, 32};
    for (std::int64_t bytes = 8; bytes <= 1 << 20; bytes *= 8) sweep_.messages.push_back({bytes});
    sweep_.prune_by = prune_by;
    sweep_.measure.racing = !launches;
    sweep_.launches = launches.value_or(sweep_.launches);
    sweep_.measure.repetitions = 40;
    plan_ = plan::make_plan(sweep_, MachineKind::model);
    if (prune_by.empty()) return;
    plan::Predictor predictor{plan::parse_exact_model(prune_by)};
    for (const plan::PlannedLaunch& launch : plan_.launches) {
      if (launch.repeat > 0) continue;
      for (const Case& each : launch.cases)
        if (const auto found = predictor.predict(each)) predictions_.emplace(each, *found);
    }
  }

  /// @param most  launches
  Agenda run(int most = 1000) {
    Agenda agenda{sweep_, plan_, predictions_};
    agenda.update({}, measurements_);
    for (int launch = 0; launch < most; ++launch) {
      const auto next = agenda.next(plan::Forecast{sweep_.measure});
      if (!next) break;
      measure(*next);
      agenda.update({}, measurements_);
    }
    return agenda;
  }

  [[nodiscard]] std::size_t measurements() const { return measurements_.size(); }
  [[nodiscard]] double seconds() const {
    return std::accumulate(
        measurements_.begin(), measurements_.end(), 0.0,
        [](double sum, const Measurement& each) { return sum + each.samples * each.median.value; });
  }
  [[nodiscard]] std::set<Case> measured() const {
    std::set<Case> cases;
    for (const Measurement& each : measurements_) cases.insert(each.what);
    return cases;
  }
  /// The share of problems in which one within 3 % of the truly fastest was measured.
  double kept() {
    std::map<Case, double> fastest;
    std::map<Case, double> found;
    const std::set<Case> seen = measured();
    for (const plan::PlannedLaunch& launch : plan_.launches) {
      if (launch.repeat > 0) continue;
      for (const Case& each : launch.cases) {
        const double time = truth_.exact_time(each)->value;
        const Case problem = without_algorithm(each);
        double& least = fastest.try_emplace(problem, time).first->second;
        least = std::min(least, time);
        if (!seen.contains(each)) continue;
        double& kept = found.try_emplace(problem, time).first->second;
        kept = std::min(kept, time);
      }
    }
    double good = 0;
    for (const auto& [problem, time] : fastest)
      good += found.contains(problem) && found.at(problem) <= 1.03 * time ? 1 : 0;
    return good / static_cast<double>(fastest.size());
  }

 private:
  void measure(const plan::PlannedLaunch& launch) {
    ++launches_;
    for (const Case& what : launch.cases) {
      std::vector<double> samples = truth_.samples(what, launch.repeat, 20);
      measurements_.push_back({.what = what,
                               .launch = launches_,
                               .repeat = launch.repeat,
                               .samples = 20,
                               .median = {stats::median(std::move(samples))}});
    }
  }

  plan::ModelMachine truth_;
  plan::Sweep sweep_{};
  plan::SweepPlan plan_{};
  Predictions predictions_{};
  std::vector<Measurement> measurements_{};
  int launches_ = 0;
};

/// The true parameters, each 20 % wrong in either direction.
constexpr std::string_view kWrongBy20 = "loggp:L=1.2e-5,o=1.6e-6,g=2.4e-6,G=0.8e-9,gamma=2.4e-10";

double ratio(std::size_t one, std::size_t other) {
  return static_cast<double>(one) / static_cast<double>(other);
}

TEST(Pruning, KeepsTheWinnersAndHalvesTheCostWhereParametersAre20PercentWrong) {
  PrunedSweep whole{"", 3};
  EXPECT_EQ(whole.run().pruning().text(), "");
  EXPECT_EQ(whole.kept(), 1);
  PrunedSweep pruned{std::string{kWrongBy20}, 3};
  const Agenda over = pruned.run();
  EXPECT_GE(pruned.kept(), 0.95);
  EXPECT_LE(ratio(pruned.measurements(), whole.measurements()), 0.5);
  EXPECT_EQ(over.pruning().pruned.size() + pruned.measured().size(), whole.measured().size());
  EXPECT_EQ(over.pruning().cases, whole.measured().size());
  RecordProperty("kept", std::to_string(pruned.kept()));
  RecordProperty("measurements",
                 std::to_string(ratio(pruned.measurements(), whole.measurements())));
  RecordProperty("seconds", std::to_string(pruned.seconds() / whole.seconds()));
}

TEST(Pruning, KeepsTheWinnersOfARace) {
  PrunedSweep whole{""};
  whole.run();
  PrunedSweep pruned{std::string{kWrongBy20}};
  pruned.run();
  EXPECT_GE(pruned.kept(), 0.95);
  EXPECT_LE(ratio(pruned.measured().size(), whole.measured().size()), 0.5);
  EXPECT_LT(pruned.measurements(), whole.measurements());
  RecordProperty("kept", std::to_string(pruned.kept()));
  RecordProperty("measurements",
                 std::to_string(ratio(pruned.measurements(), whole.measurements())));
  RecordProperty("seconds", std::to_string(pruned.seconds() / whole.seconds()));
}

TEST(Pruning, RelaxesWhereMeasurementsContradictTheModelAndKeepsTheWinners) {
  // Long messages cost next to nothing there, and reductions most.
  PrunedSweep pruned{"loggp:L=1e-5,o=2e-6,g=2e-6,G=1e-12,gamma=4e-9"};
  const Agenda over = pruned.run();
  EXPECT_GE(pruned.kept(), 0.95);
  EXPECT_FALSE(over.pruning().relaxed.empty());
  EXPECT_NE(over.text().find("Predictions of bcast err: only candidates at "), std::string::npos)
      << over.text();
}

TEST(Pruning, ChecksEachCandidateSomewhere) {
  PrunedSweep pruned{std::string{kWrongBy20}};
  pruned.run(3);  // one launch of each p
  PrunedSweep whole{""};
  whole.run(3);
  const auto names = [](const PrunedSweep& sweep) {
    std::set<std::string> found;
    for (const Case& each : sweep.measured()) found.insert(algorithm_text(each));
    return found;
  };
  EXPECT_EQ(names(pruned), names(whole));
  EXPECT_LT(pruned.measured().size(), whole.measured().size());
}

TEST(Pruning, GoesOnAsIfItHadNotEnded) {
  PrunedSweep one{std::string{kWrongBy20}, 3};
  one.run();
  PrunedSweep other{std::string{kWrongBy20}, 3};
  for (int launch = 0; launch < 20; ++launch) other.run(1);  // with a new agenda each
  EXPECT_EQ(one.measured(), other.measured());
  EXPECT_EQ(one.measurements(), other.measurements());
}

}  // namespace
}  // namespace breakeven::session
