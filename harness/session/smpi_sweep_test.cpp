// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/smpi_sweep.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace breakeven::session {
namespace {

/// A sweep of these process counts on the machine; `set` makes the user's settings.
template <typename Set>
plan::Sweep swept(const std::string& text, const std::vector<int>& procs, Set set) {
  const launch::SmpiMachine machine = launch::parse_smpi(text);
  plan::Sweep sweep = default_smpi_sweep({}, machine, procs);
  sweep.machine = text;
  sweep.procs = procs;
  set(sweep);
  return settled(sweep, machine);
}

plan::Sweep swept(const std::string& text, const std::vector<int>& procs) {
  return swept(text, procs, [](plan::Sweep&) {});
}

template <typename Set>
std::string refusal(const std::string& text, const std::vector<int>& procs, Set set) {
  try {
    static_cast<void>(swept(text, procs, set));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(SmpiSweep, TakesItsLayoutFromTheMachine) {
  const plan::Sweep sweep = swept("smpi:a.xml,hosts=8,mapping=rr", {16, 64});
  EXPECT_EQ(sweep.nodes, 8);
  EXPECT_EQ(sweep.mapping, Mapping::rr);
  EXPECT_EQ(sweep.machine, "smpi:a.xml");
}

TEST(SmpiSweep, TakesItsNodesFromTheProcessesOnEach) {
  EXPECT_EQ(swept("smpi:a.xml,ppn=8", {64}).nodes, 8);
}

TEST(SmpiSweep, TakesItsLayoutFromSettingsElse) {
  const plan::Sweep sweep = swept("smpi:a.xml", {64}, [](plan::Sweep& each) { each.nodes = 4; });
  EXPECT_EQ(sweep.nodes, 4);
  EXPECT_EQ(sweep.mapping, Mapping::seq);
}

TEST(SmpiSweep, BeginsAtAMomentOfTheSimulationsClock) {
  const protocol::MeasurePlan measure = swept("smpi:a.xml", {2}).measure;
  EXPECT_EQ(measure.timer, Timer::wtime);
  EXPECT_EQ(measure.sync, SyncMethod::window);
  EXPECT_EQ(measure.run_time, RunTime::global);
  EXPECT_EQ(measure.min_time.value, 0);
}

TEST(SmpiSweep, RefusesWhatContradictsTheMachine) {
  EXPECT_EQ(refusal("smpi:a.xml,hosts=8", {64}, [](plan::Sweep& sweep) { sweep.nodes = 1; }),
            "machine 'smpi:a.xml,hosts=8' says hosts=8, the sweep 1 nodes; say it once");
  EXPECT_EQ(refusal("smpi:a.xml,hosts=8,mapping=rr", {64},
                    [](plan::Sweep& sweep) { sweep.mapping = Mapping::seq; }),
            "machine 'smpi:a.xml,hosts=8,mapping=rr' says mapping=rr, the sweep mapping seq; "
            "say it once");
  EXPECT_EQ(refusal("smpi:a.xml,ppn=8", {64, 32}, [](plan::Sweep&) {}),
            "machine 'smpi:a.xml,ppn=8' says ppn=8, the sweep p = 32 on 8 nodes; say it once");
}

TEST(SmpiSweep, RefusesOneProcess) {
  EXPECT_NE(refusal("smpi:a.xml", {2, 1}, [](plan::Sweep&) {}).find("p = 1"), std::string::npos);
}

}  // namespace
}  // namespace breakeven::session
