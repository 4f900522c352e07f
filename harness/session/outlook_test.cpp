// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/outlook.hpp"

#include <gtest/gtest.h>

#include "core/temporary_folder.hpp"
#include "harness/session/session.hpp"
#include "results/testing.hpp"

namespace breakeven::session {
namespace {

Case case_of(const char* algorithm, std::int64_t bytes) {
  return {.variant = Variant::of(algorithm), .procs = 2, .procs_per_node = 2, .message = {bytes}};
}

class OutlookTest : public ::testing::Test {
 protected:
  OutlookTest() {
    sweep.collectives = {Collective::allreduce};
    sweep.algorithms = {"native", "ring", "recursive_doubling"};
    sweep.messages = {{8}, {16}};
  }

  [[nodiscard]] std::string text(Seconds budget, bool whole = false) const {
    const Outlook outlook{sweep,
                          plan::make_plan(sweep, MachineKind::library),
                          {},
                          {},
                          plan::Forecast{sweep.measure, cores}};
    std::string lines;
    for (const std::string& line : plan_lines(sweep, outlook, budget, whole)) lines += line + "\n";
    return lines;
  }

  plan::Sweep sweep{};
  double cores = 2;
  static constexpr Seconds kNone{std::numeric_limits<double>::infinity()};
};

TEST_F(OutlookTest, LearnsFromTheLaunchesInADatabase) {
  const test::TemporaryFolder folder;
  results::Store store{folder / "results.db", results::Store::Access::write};
  const results::MachineId machine = store.add({.name = "mpich"});
  const results::LaunchId launch =
      store.begin(machine, {.layout = {.procs = 2, .procs_per_node = 2},
                            .placement = "[]",
                            .environment = R"({"start_s": 1.5, "cores": 2, "nodes_on_kernel": 4})",
                            .oversubscribed = true});
  const auto add = [&](const char* algorithm, std::int64_t bytes, double ended) {
    store.add(launch, case_of(algorithm, bytes), {.local = {Seconds{1e-6}}},
              {.ended = Seconds{ended}});
  };
  add("ring", 16, 3);
  add("native", 16, 10);
  add("ring", 8, 9.9);
  plan::Forecast forecast{{}};
  const NodeLayout pair{.procs = 2, .procs_per_node = 2};
  learn(forecast, held(store, machine));
  EXPECT_DOUBLE_EQ(forecast.start(pair).value, 1.5);
  const std::vector all{case_of("ring", 16), case_of("native", 16), case_of("ring", 8)};
  EXPECT_DOUBLE_EQ(forecast.measuring(all).value, 10);
  plan::Forecast on_half_a_core{{}, 0.5};
  EXPECT_DOUBLE_EQ(forecast.rough(all), on_half_a_core.rough(all));

  store.end(launch, "complete");
  results::testing::execute(folder / "results.db",
                            "UPDATE launch SET started_at = '2026-01-31T23:59:58.500Z', "
                            "ended_at = '2026-02-01T00:00:12.750Z'");
  plan::Forecast to_the_end{{}};
  learn(to_the_end, held(store, machine));
  EXPECT_NEAR(to_the_end.start(pair).value, 1.5 + 14.25 - 10, 1e-3);
  EXPECT_DOUBLE_EQ(to_the_end.measuring(all).value, 10);
}

/// Remembers what it was told last.
struct Told : Listener {
  void expect(std::size_t measurements, Seconds takes) override {
    count = measurements;
    time = takes;
  }
  void begin_part(const std::string&) override {}
  void at(const std::string&) override {}
  void advance() override {}
  void say(const std::string&) override {}
  std::size_t count = 0;
  Seconds time{};
};

TEST_F(OutlookTest, WhatRemainsFollowsEachStartAndEachProblem) {
  const test::TemporaryFolder folder;
  results::Store store{folder / "results.db", results::Store::Access::write};
  Told told;
  const SweepRequest request{.sweep = sweep};
  Session session{store, store.add({.name = "mpich"}), request, plan::Forecast{sweep.measure},
                  told};
  const std::vector of_8{case_of("ring", 8), case_of("native", 8)};
  const std::vector of_16{case_of("ring", 16), case_of("native", 16)};
  std::map<Case, int> launches;
  for (const auto& problem : {of_8, of_16}) {
    for (const Case& what : problem) launches[what] = 2;
  }
  session.expect(session.forecast().loads(launches));
  EXPECT_EQ(told.count, 8U);
  const double rough = 4 * session.forecast().measuring(of_8).value;  // all take as long
  session.started({.procs = 2, .procs_per_node = 2}, {7});
  EXPECT_NEAR(told.time.value, rough + 7, 1e-6);  // the second launch is still to start
  session.done(of_16, {30});
  EXPECT_EQ(told.count, 6U);
  EXPECT_NEAR(told.time.value, 30 + 7 + 2 * 30, 1e-3);
  session.done(of_8, {30});
  EXPECT_EQ(told.count, 4U);
  EXPECT_NEAR(told.time.value, 7 + 2 * 30, 1e-3);
}

TEST_F(OutlookTest, SaysWhatWillProbablyHappen) {
  sweep.launches = 4;
  const std::string all = text(kNone);
  EXPECT_NE(all.find(" of it to start jobs); a rough guess until something is measured\n"),
            std::string::npos)
      << all;
  EXPECT_NE(all.find("planned: 6 cases; probably 22 measurements in 4 launches, "),
            std::string::npos)
      << all;
  EXPECT_EQ(all.find("upper limit"), std::string::npos);
  EXPECT_EQ(all.find("in the budget"), std::string::npos);
  sweep.launches = 20;
  EXPECT_NE(text({5}).find("in the budget: probably "), std::string::npos) << text({5});
  EXPECT_NE(text({0.1}).find("too short for a launch of one problem"), std::string::npos);
}

TEST_F(OutlookTest, NamesProblemsAndTheUpperLimitOnRequest) {
  const std::string all = text(kNone, true);
  EXPECT_NE(all.find("allreduce at p = 2, problems: 2, candidates: 3\n"), std::string::npos) << all;
  EXPECT_NE(
      all.find(
          "upper limit: 120 measurements in 20 launches, 1 min 08 s (8 s of it to start jobs), "),
      std::string::npos)
      << all;
}

TEST_F(OutlookTest, SaysWhereProcessesTakeTurns) {
  sweep.procs = {2, 3};
  const std::string line =
      "more processes than the 2 cores of a node, where times say little: p = 3\n";
  EXPECT_NE(text(kNone, true).find(line), std::string::npos) << text(kNone, true);
  cores = 4;
  EXPECT_EQ(text(kNone, true).find("more processes"), std::string::npos);
}

TEST_F(OutlookTest, NamesTheCollectivesThatTheDefaultLeavesOut) {
  EXPECT_EQ(left_out_line(sweep), "");  // the user chose
  const std::string line = left_out_line({});
  EXPECT_NE(line.find(" alltoall, "), std::string::npos) << line;
  EXPECT_EQ(line.find(" allreduce,"), std::string::npos) << line;
}

}  // namespace
}  // namespace breakeven::session
