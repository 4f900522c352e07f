// SPDX-License-Identifier: BSD-3-Clause
#include "harness/launch/launcher.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace breakeven {
namespace {

const JobLayout kTwoNodes{
    .procs = 8, .nodes = 2, .procs_per_node = 4, .mapping = Mapping::seq, .oversubscribed = false};

std::string command_of(const Launcher& launcher, JobLayout layout) {
  ChildProcess::Command command = launcher.command("mpiexec", layout, "/lib/yield.so");
  command.environment.clear();  // who runs the tests is not what is tested
  return to_text(command);
}

JobLayout dealt_out() {
  JobLayout layout = kTwoNodes;
  layout.mapping = Mapping::rr;
  return layout;
}

JobLayout oversubscribed() {
  JobLayout layout = kTwoNodes;
  layout.oversubscribed = true;
  return layout;
}

TEST(Hydra, FillsNodesOrDealsRanksOut) {
  EXPECT_EQ(command_of(hydra, kTwoNodes), "mpiexec -n 8 -ppn 4 -bind-to core");
  EXPECT_EQ(command_of(hydra, dealt_out()), "mpiexec -n 8 -ppn 1 -bind-to core");
}

TEST(Hydra, LetsRanksShareCoresWhenThereAreMoreOfThem) {
  EXPECT_EQ(command_of(hydra, oversubscribed()),
            "mpiexec -n 8 -ppn 4 -bind-to none -genv LD_PRELOAD /lib/yield.so");
}

TEST(OpenMpi, FillsNodesOrDealsRanksOut) {
  EXPECT_EQ(command_of(openmpi, kTwoNodes), "mpiexec -n 8 --map-by slot --bind-to core");
  EXPECT_EQ(command_of(openmpi, dealt_out()), "mpiexec -n 8 --map-by node --bind-to core");
}

TEST(OpenMpi, LetsRanksShareCoresWhenThereAreMoreOfThem) {
  EXPECT_EQ(command_of(openmpi, oversubscribed()),
            "mpiexec -n 8 --map-by slot:OVERSUBSCRIBE --bind-to none --mca mpi_yield_when_idle 1");
}

}  // namespace
}  // namespace breakeven
