// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/outlook.hpp"

#include <gtest/gtest.h>

#include "core/temporary_folder.hpp"
#include "harness/session/library_launch.hpp"

namespace breakeven::session {
namespace {

Case case_of(const char* algorithm, std::int64_t bytes) {
  return {.algorithm = algorithm, .procs = 2, .procs_per_node = 2, .message = {bytes}};
}

class OutlookTest : public ::testing::Test {
 protected:
  OutlookTest() {
    sweep.collectives = {Collective::allreduce};
    sweep.algorithms = {"native", "ring", "recursive_doubling"};
    sweep.messages = {{8}, {16}};
  }

  [[nodiscard]] std::string text(Seconds budget, bool whole = false) const {
    const Outlook outlook{sweep, plan::make_plan(sweep, MachineKind::library), {}, nullptr};
    std::string lines;
    for (const std::string& line : plan_lines(sweep, outlook, budget, whole)) lines += line + "\n";
    return lines;
  }

  plan::Sweep sweep{};
  static constexpr Seconds kNone{std::numeric_limits<double>::infinity()};
};

TEST_F(OutlookTest, LearnsFromTheLaunchesInADatabase) {
  const test::TemporaryFolder folder;
  results::Store store{folder / "results.db", results::Store::Access::write};
  const results::MachineId machine = store.add({.name = "mpich"});
  const results::LaunchId launch =
      store.begin(machine, {.layout = {.procs = 2, .procs_per_node = 2},
                            .placement = "[]",
                            .environment = R"({"start_s": 1.5})"});
  const auto add = [&](const char* algorithm, std::int64_t bytes, double ended) {
    store.add(launch, case_of(algorithm, bytes), {.local = {Seconds{1e-6}}},
              {.ended = Seconds{ended}});
  };
  add("ring", 16, 3);
  add("native", 16, 10);
  add("ring", 8, 9.9);
  plan::Forecast forecast{{}};
  learn(forecast, store, machine);
  EXPECT_DOUBLE_EQ(forecast.start(2).value, 1.5);
  const std::vector all{case_of("ring", 16), case_of("native", 16), case_of("ring", 8)};
  EXPECT_DOUBLE_EQ(forecast.measuring(all).value, 10);
}

TEST_F(OutlookTest, SaysWhatWillProbablyHappen) {
  sweep.launches = 4;
  const std::string all = text(kNone);
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
  EXPECT_NE(all.find("upper limit: 120 measurements in 20 launches, 1 min 00 s, "),
            std::string::npos)
      << all;
}

TEST_F(OutlookTest, NamesTheCollectivesThatTheDefaultLeavesOut) {
  EXPECT_EQ(left_out_line(sweep), "");  // the user chose
  const std::string line = left_out_line({});
  EXPECT_NE(line.find(" alltoall, "), std::string::npos) << line;
  EXPECT_EQ(line.find(" allreduce,"), std::string::npos) << line;
}

}  // namespace
}  // namespace breakeven::session
