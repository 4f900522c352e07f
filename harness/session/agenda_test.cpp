// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/agenda.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <set>

namespace breakeven::session {
namespace {

/// Microseconds of an algorithm at a size, in a launch.
using Truth = std::function<double(const Case&, int repeat)>;

/// A sweep of two sizes whose results are known, and a database that is two lists.
class AgendaTest : public ::testing::Test {
 protected:
  AgendaTest() {
    sweep.machine = "mpich";
    sweep.collectives = {Collective::allreduce};
    sweep.algorithms = {"native", "ring", "recursive_doubling"};
    sweep.messages = {{8}, {16}};
    sweep.procs = {4};
  }

  Agenda agenda() const { return Agenda{sweep, plan::make_plan(sweep, MachineKind::library)}; }

  void measure(const Case& what, int repeat, int launch) {
    measurements.push_back({.what = what,
                            .launch = launch,
                            .repeat = repeat,
                            .samples = 10,
                            .median = {truth(what, repeat) * 1e-6}});
  }

  std::optional<plan::PlannedLaunch> next() const {
    Agenda now = agenda();
    now.update(failures, measurements);
    return now.next(forecast);
  }

  /// Measures the agenda's launches, to its end or a number of them.
  void run(int most = 1000) {
    for (int i = 0; i < most; ++i) {
      const auto launch = next();
      if (!launch) return;
      ++launches;
      for (const Case& what : launch->cases) measure(what, launch->repeat, launches);
    }
  }

  int count(const std::string& algorithm, std::int64_t bytes = 8) const {
    return static_cast<int>(std::ranges::count_if(measurements, [&](const Measurement& row) {
      return row.what.variant.algorithm() == algorithm && row.what.message.value == bytes;
    }));
  }

  plan::Sweep sweep{};
  Truth truth = [](const Case& what, int) {
    return what.variant.algorithm() == "ring" ? 1.0 : 2.0;
  };
  std::vector<results::Failure> failures{};
  std::vector<Measurement> measurements{};
  int launches = 0;
  plan::Forecast forecast{sweep.measure};
};

TEST_F(AgendaTest, WhoIsFarBehindIsMeasuredOnceTheFastestAndNativeThreeTimes) {
  run();
  EXPECT_EQ(count("recursive_doubling"), 1);
  EXPECT_EQ(count("ring"), 3);
  EXPECT_EQ(count("native"), 3);
  Agenda over = agenda();
  over.update(failures, measurements);
  EXPECT_TRUE(over.launches().empty());
  EXPECT_EQ(over.text(), "Done: more measurements would not change a choice by 0.01 %.");
}

TEST_F(AgendaTest, WhoMayWinIsMeasuredUntilLaunchesEnd) {
  sweep.launches = 8;
  truth = [](const Case& what, int repeat) {
    if (what.variant.is<Native>()) return 3.0;
    return (repeat % 2 == 0) == (what.variant.algorithm() == "ring") ? 1.0 : 1.1;
  };
  run();
  EXPECT_EQ(count("recursive_doubling"), 8);
  EXPECT_EQ(count("ring"), 8);
  EXPECT_EQ(count("native"), 8);  // all others are compared with it
  Agenda over = agenda();
  over.update(failures, measurements);
  EXPECT_TRUE(over.text().starts_with(
      "Done, but for 2 problems that reached the limit of 8 launches (--launches): "))
      << over.text();
}

TEST_F(AgendaTest, WhetherNativeIsTheFastestIsAskedAsOfAnyOther) {
  sweep.launches = 8;
  truth = [](const Case& what, int repeat) {
    if (what.variant.algorithm() == "recursive_doubling") return 3.0;
    return (repeat % 2 == 0) == (what.variant.algorithm() == "ring") ? 1.0 : 1.1;
  };
  run();
  EXPECT_EQ(count("native"), 8);
  EXPECT_EQ(count("ring"), 8);
  EXPECT_EQ(count("recursive_doubling"), 1);
}

TEST_F(AgendaTest, ALoneCandidateHasAllLaunches) {
  sweep.launches = 5;
  sweep.algorithms = {"native"};
  run();
  EXPECT_EQ(count("native"), 5);
}

TEST_F(AgendaTest, WhoComesLaterIsMeasuredBesideTheFastestAndNative) {
  run();
  sweep.algorithms.emplace_back("halving_doubling");
  const auto launch = next();
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->repeat, 3);
  std::set<std::string> names;
  for (const Case& what : launch->cases) names.insert(what.variant.algorithm());
  EXPECT_EQ(names, (std::set<std::string>{"halving_doubling", "native", "ring"}));
}

TEST_F(AgendaTest, WhoFailsInThreeLaunchesIsGivenUp) {
  run();
  sweep.algorithms.emplace_back("halving_doubling");
  for (int failed = 0; failed < 3; ++failed) {
    const auto launch = next();
    ASSERT_TRUE(launch) << failed;
    for (const Case& what : launch->cases) {
      if (what.variant.algorithm() == "halving_doubling")
        failures.push_back({.what = what, .repeat = launch->repeat, .reason = "it hung"});
      else
        measure(what, launch->repeat, launch->repeat);
    }
  }
  EXPECT_FALSE(next());
}

TEST_F(AgendaTest, WithoutRacingALaunchThatWasCutShortGoesOn) {
  sweep.measure.racing = false;
  sweep.launches = 4;
  run(1);
  const auto launch = next();
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->repeat, 1);
  ASSERT_EQ(launch->cases.size(), 6U);
  measure(launch->cases[0], 1, 1);
  EXPECT_EQ(next()->repeat, 1);
  EXPECT_EQ(next()->cases.size(), 5U);
  run();
  std::set<std::pair<Case, int>> keys;
  for (const auto& row : measurements) EXPECT_TRUE(keys.emplace(row.what, row.repeat).second);
  EXPECT_EQ(keys.size(), 6U * 4);
  for (const auto& [what, repeat] : keys) EXPECT_LT(repeat, 4);
}

TEST_F(AgendaTest, TheLaunchThatGainsMostPerSecondComesFirst) {
  sweep.procs = {2, 4};
  // At p = 4 alone it is open which is the fastest.
  truth = [](const Case& what, int repeat) {
    if (what.variant.is<Native>()) return 3.0;
    const double ring = what.variant.algorithm() == "ring" ? 1 : -1;
    const double noise = 0.05 * ring * std::cos(3 * repeat);  // 1, -0.99, 0.96, -0.91 ...
    return 1 + noise + (what.procs == 2 && ring < 0 ? 1 : 0);
  };
  run(6);  // three of each
  const auto launch = next();
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->layout.procs, 4);
}

TEST_F(AgendaTest, ALaunchWhoseJobTakesLongToStartGainsLessPerSecond) {
  sweep.procs = {2, 4};
  truth = [](const Case& what, int repeat) {
    if (what.variant.is<Native>()) return 3.0;
    const double ring = what.variant.algorithm() == "ring" ? 1 : -1;
    return 1 + 0.05 * ring * std::cos(3 * repeat);
  };
  run(6);  // three of each, with the same times at both
  for (const int late : {2, 4}) {
    forecast = plan::Forecast{sweep.measure};
    for (const int procs : sweep.procs) {
      forecast.add_start({.procs = procs, .procs_per_node = procs}, {procs == late ? 60.0 : 1.0});
    }
    ASSERT_TRUE(next());
    EXPECT_EQ(next()->layout.procs, 6 - late);
  }
}

TEST_F(AgendaTest, WhatTakesMostOfAProgramsTimeIsMeasuredFirstAndMost) {
  sweep.procs = {2, 4};
  sweep.launches = 12;
  truth = [](const Case& what, int repeat) {
    if (what.variant.is<Native>()) return 3.0;
    const double ring = what.variant.algorithm() == "ring" ? 1 : -1;
    return 1 + 0.01 * ring * std::cos(3 * repeat) + (ring > 0 ? 0 : 0.02);
  };
  const auto time = [](double at_2, double at_4) {
    return ProgramTime{{{Collective::allreduce, {2, 1, 2}, {8}}, {at_2}},
                       {{Collective::allreduce, {4, 1, 4}, {8}}, {at_4}}};
  };
  for (const int most : {2, 4}) {
    measurements.clear();
    sweep.program_time = most == 2 ? time(0.999, 0.001) : time(0.001, 0.999);
    run(6);  // three of each
    ASSERT_TRUE(next());
    EXPECT_EQ(next()->layout.procs, most);
    run();
    std::map<int, int> launches_at;
    for (const auto& row : measurements) {
      EXPECT_EQ(row.what.message, Bytes{8});
      launches_at[row.what.procs] = std::max(launches_at[row.what.procs], row.repeat + 1);
    }
    EXPECT_GT(launches_at.at(most), launches_at.at(6 - most));
  }
}

TEST_F(AgendaTest, AProgramsTimeIsSharedOutAmongTheSweepsOwnProblems) {
  sweep.program_time = {{{Collective::allreduce, {4, 1, 4}, {8}}, {1}}};
  truth = [](const Case& what, int repeat) {
    if (what.variant.is<Native>()) return 3.0;
    const double ring = what.variant.algorithm() == "ring" ? 1 : -1;
    return 1 + 0.01 * ring * std::cos(3 * repeat) + (ring > 0 ? 0 : 0.02);
  };
  run();
  ASSERT_FALSE(next());
  for (std::int64_t bytes = 8; bytes <= 1 << 20; bytes *= 2) {  // of another sweep
    for (int repeat = 0; repeat < 3; ++repeat) {
      measure({.collective = Collective::bcast,
               .variant = Native{},
               .procs = 16,
               .procs_per_node = 16,
               .message = {bytes}},
              repeat, 1000 + repeat);
    }
  }
  EXPECT_FALSE(next());
}

TEST_F(AgendaTest, ALaunchPaysWhereItSavesTheProgramMoreThanItTakes) {
  truth = [](const Case& what, int repeat) {
    if (what.variant.is<Native>()) return 3.0;
    return (repeat % 2 == 0) == (what.variant.algorithm() == "ring") ? 1.0 : 1.1;
  };
  const auto next_of = [&](double program_s, bool pays) {
    sweep.program_time = {{{Collective::allreduce, {4, 1, 4}, {8}}, {program_s}}};
    Agenda now = agenda();
    now.update(failures, measurements);
    return now.next(forecast, pays).has_value();
  };
  EXPECT_TRUE(next_of(1e-6, true));  // no table could choose anything yet
  run(3);
  EXPECT_TRUE(next_of(1e6, true));
  EXPECT_FALSE(next_of(1, true));
  EXPECT_TRUE(next_of(1, false));
}

TEST_F(AgendaTest, ASweepThatRefinesMeasuresBetweenSizes) {
  sweep.refine = true;
  sweep.messages = {{8}, {1 << 20}};
  truth = [](const Case& what, int) {
    if (what.variant.is<Native>()) return 1e5;
    const auto bytes = static_cast<double>(what.message.value);
    return what.variant.algorithm() == "ring" ? 100 + bytes / 1000
                                              : 50 + bytes / 500;  // meet at 50 000 B
  };
  run();
  std::set<std::int64_t> sizes;
  for (const auto& row : measurements) sizes.insert(row.what.message.value);
  EXPECT_GE(sizes.size(), 6U);
  const auto above = sizes.lower_bound(50000);
  EXPECT_LT(*above, 1.2 * static_cast<double>(*std::prev(above)));
  for (const std::int64_t size : sizes) {
    EXPECT_EQ(count(size < 50000 ? "recursive_doubling" : "ring", size), 3) << size;
  }
  sweep.refine = false;  // what lies between is another sweep's
  EXPECT_FALSE(next());
}

TEST_F(AgendaTest, ASizeBetweenThatWasCutShortIsProposedAgainWhole) {
  sweep.refine = true;
  sweep.messages = {{8}, {1 << 20}};
  truth = [](const Case& what, int) {
    if (what.variant.is<Native>()) return 1e5;
    const auto bytes = static_cast<double>(what.message.value);
    return what.variant.algorithm() == "ring" ? 100 + bytes / 1000 : 50 + bytes / 500;
  };
  run(3);
  const auto whole = next();
  ASSERT_TRUE(whole);
  ASSERT_EQ(whole->cases.size(), 3U);
  EXPECT_EQ(whole->cases.front().message, Bytes{2896});
  measure(whole->cases.front(), whole->repeat, 100);  // and then it was killed
  const auto again = next();
  ASSERT_TRUE(again);
  EXPECT_EQ(std::set(again->cases.begin(), again->cases.end()),
            std::set(whole->cases.begin(), whole->cases.end()));
}

}  // namespace
}  // namespace breakeven::session
