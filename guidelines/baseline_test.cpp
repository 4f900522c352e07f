// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/baseline.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "guidelines/catalogue.hpp"
#include "guidelines/evaluate.hpp"
#include "guidelines/report.hpp"
#include "guidelines/testing.hpp"

namespace breakeven::guidelines {
namespace {

constexpr int kLaunches = 12;

/// A machine in one database.
struct Record {
  std::vector<Launch> launches{};
  std::vector<Measurement> measurements{};
};

/// Factors on the times of what a launch measures.
struct Slowed {
  double machine = 1;
  double transport = 1;
  double collectives = 1;
};

Record record(const Slowed& by, double of_bcast = 1) {
  Record record;
  std::vector<Case> cases;
  for (const Collective each : {Collective::allreduce, Collective::bcast, Collective::reduce}) {
    for (const std::int64_t bytes : {8, 1024, 65536}) {
      cases.push_back(testing::on_node(each, std::string{kNative}, bytes));
    }
  }
  for (int launch = 0; launch < kLaunches; ++launch) {
    const double own = 1 + 0.002 * (launch % 5);
    const NodeLayout layout{.procs = 4, .nodes = 1, .procs_per_node = 4};
    record.launches.push_back({.layout = layout, .repeat = launch, .environment = "{}"});
    record.launches.back().calibration = {
        {Probe::arithmetic, {by.machine * own}},
        {Probe::copy, {0.5 * by.machine * own}},
        {Probe::ping_pong_short, {by.machine * by.transport * own}}};
    for (const Case& what : cases) {
      const double factor = what.collective == Collective::bcast ? of_bcast : 1;
      record.measurements.push_back({.what = what,
                                     .launch = launch,
                                     .repeat = launch,
                                     .samples = 1,
                                     .median = {1e-6 * factor * by.collectives * own}});
    }
  }
  return record;
}

Evaluation compared(const Record& now, const Record& before) {
  return evaluate(now.measurements,
                  {.guidelines = find_guidelines("baseline"),
                   .launches = now.launches,
                   .baseline = {.measurements = before.measurements, .launches = before.launches}});
}

TEST(Baseline, HoldsWhereNothingChanged) {
  const Evaluation same = compared(record({}), record({}));
  EXPECT_EQ(count(same, Verdict::holds), 9);
  EXPECT_EQ(exit_status(same), 0);
}

TEST(Baseline, IsViolatedByWhatAllCollectivesHaveInCommon) {
  const Evaluation all = compared(record({.collectives = 3}), record({}));
  EXPECT_EQ(count(all, Verdict::violated), 9);
  EXPECT_EQ(exit_status(all), 1);
  const Evaluation most = compared(record({.collectives = 3}, 1.0 / 3), record({}));
  EXPECT_EQ(count(most, Verdict::violated), 6);
  EXPECT_EQ(exit_status(most), 1);
}

TEST(Baseline, IsCorrectedForTheMachineAlone) {
  const Evaluation slower =
      compared(record({.machine = 1.08, .collectives = 1.08}, 1.25), record({}));
  EXPECT_EQ(count(slower, Verdict::violated), 3) << "the broadcasts";
  EXPECT_EQ(count(slower, Verdict::holds), 6);
  const Evaluation faster = compared(record({.machine = 0.92}), record({}));
  EXPECT_EQ(count(faster, Verdict::violated), 9) << "on a faster machine it is not faster";
}

TEST(Baseline, IsUndecidedBeyondSomeDriftOfTheMachine) {
  for (const double machine : {2.0, 0.5}) {
    const Evaluation drifted =
        compared(record({.machine = machine, .collectives = 10}), record({}));
    EXPECT_EQ(count(drifted, Verdict::undecided), 9) << machine;
    EXPECT_EQ(exit_status(drifted), 2);
    EXPECT_NE(all_remarks(drifted).back().find("the machine itself changed at p = 4"),
              std::string::npos);
  }
}

TEST(Baseline, TellsTheTransportFromTheCollectives) {
  const Evaluation slow = compared(record({.transport = 1.5, .collectives = 1.5}, 2), record({}));
  EXPECT_EQ(count(slow, Verdict::violated), 3) << "the broadcasts take 3 times as long";
  EXPECT_EQ(count(slow, Verdict::undecided), 6);
  EXPECT_EQ(exit_status(slow), 1);
  const Evaluation no_more = compared(record({.transport = 1.5, .collectives = 1.5}), record({}));
  EXPECT_EQ(exit_status(no_more), 2);
  EXPECT_NE(all_remarks(no_more).back().find("the transport changed as much"), std::string::npos);
}

TEST(Baseline, IsNotCorrectedWithoutACalibration) {
  Record now = record({.collectives = 3});
  now.launches.clear();
  EXPECT_EQ(count(compared(now, record({})), Verdict::violated), 9);
}

TEST(Baseline, SaysHowTheMachineDiffers) {
  const Machine machine{.name = "mpich", .library_version = "4.0", .cpu = "A"};
  const std::vector<Launch> launches{{.environment = R"({"kernel": "Linux 6.1"})"}};
  EXPECT_TRUE(differences(machine, launches, machine, launches).empty());
  Machine other{.name = "mpich", .library_version = "4.2", .cpu = "B"};
  other.settings = {{"UCX_TLS", "tcp", "environment"}};
  const std::vector<Launch> others{{.environment = R"({"kernel": "Linux 6.5"})"}};
  EXPECT_EQ(differences(machine, launches, other, others),
            (std::vector<std::string>{"library: 4.0, was 4.2", "processor: A, was B",
                                      "kernel: Linux 6.1, was Linux 6.5",
                                      "settings: UCX_TLS=unset, was tcp"}));
}

TEST(Baseline, IsRemarkedOnInEveryReport) {
  Evaluation evaluation = compared(record({.machine = 2}), record({}));
  evaluation.remarks.emplace_back("differs from the baseline: processor: A, was B");
  for (const ReportFormat& format : report_formats()) {
    if (format.name == "bencher") continue;  // it has a place for numbers alone
    const std::string text = format.write(evaluation, {});
    EXPECT_NE(text.find("processor: A, was B"), std::string::npos) << format.name;
    EXPECT_NE(text.find("the machine itself changed at p = 4"), std::string::npos) << format.name;
  }
}

}  // namespace
}  // namespace breakeven::guidelines
