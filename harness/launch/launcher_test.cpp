// SPDX-License-Identifier: BSD-3-Clause
#include "harness/launch/launcher.hpp"

#include <gtest/gtest.h>

#include <set>

#include "core/error.hpp"

namespace breakeven::launch {
namespace {

const JobLayout kTwoNodes{{.procs = 8, .nodes = 2, .procs_per_node = 4, .mapping = Mapping::seq},
                          false};

std::string command_of(const Launcher& launcher, JobLayout layout) {
  ChildProcess::Command command = launcher.command("mpiexec", layout, "/lib/yield.so");
  command.environment.clear();  // it depends on the user of the tests
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

JobLayout mapped(const char* mapping) {
  JobLayout layout = kTwoNodes;
  layout.mapping = Mapping::parse(mapping);
  return layout;
}

TEST(Launchers, DealOutSeveralRanksAtATimeWhereTheyCan) {
  EXPECT_EQ(command_of(hydra, mapped("blocked:2")), "mpiexec -n 8 -ppn 2 -bind-to core");
  EXPECT_NE(command_of(srun_pmi2_mpich, mapped("blocked:2")).find(" -m plane=2 "),
            std::string::npos);
  for (const Launcher* launcher : {&pbs, &flux_mpich, &openmpi4, &openmpi5}) {
    EXPECT_THROW((void)command_of(*launcher, mapped("blocked:2")), UsageError) << launcher->name;
  }
}

TEST(Launchers, LeaveIrregularMappingsToTheUsersArguments) {
  const JobLayout layout = mapped("irregular:0*3.1.0.1*3");
  EXPECT_EQ(command_of(hydra, layout), "mpiexec -n 8 -bind-to core");
  EXPECT_EQ(command_of(openmpi4, layout), "mpiexec -n 8 --bind-to core");
  EXPECT_EQ(command_of(openmpi5, layout), "mpiexec -n 8 --bind-to core");
  EXPECT_EQ(command_of(pbs, layout), "mpiexec -n 8 --cpu-bind core");
}

TEST(Hydra, LetsRanksShareCoresWhenThereAreMoreOfThem) {
  EXPECT_EQ(command_of(hydra, oversubscribed()),
            "mpiexec -n 8 -ppn 4 -bind-to none -genv LD_PRELOAD /lib/yield.so");
}

JobLayout on_one_node(bool oversubscribed) {
  return {{.procs = 4, .nodes = 1, .procs_per_node = 4}, oversubscribed};
}

TEST(OpenMpi4, SaysHowManyProcessesEachNodeGetsAndInWhichOrderTheyAreRanked) {
  EXPECT_EQ(command_of(openmpi4, kTwoNodes),
            "mpiexec -n 8 --map-by ppr:4:node --rank-by slot --bind-to core");
  EXPECT_EQ(command_of(openmpi4, dealt_out()),
            "mpiexec -n 8 --map-by ppr:4:node --rank-by node --bind-to core");
  EXPECT_EQ(command_of(openmpi4, on_one_node(false)), "mpiexec -n 4 --map-by slot --bind-to core");
}

TEST(OpenMpi4, LetsRanksShareCoresWhenThereAreMoreOfThem) {
  EXPECT_EQ(command_of(openmpi4, oversubscribed()),
            "mpiexec -n 8 --map-by ppr:4:node:OVERSUBSCRIBE --rank-by slot --bind-to none "
            "--mca mpi_yield_when_idle 1");
  EXPECT_EQ(command_of(openmpi4, on_one_node(true)),
            "mpiexec -n 4 --map-by slot:OVERSUBSCRIBE --bind-to none --mca mpi_yield_when_idle 1");
}

TEST(OpenMpi5, SaysHowManyProcessesEachNodeGetsAndInWhichOrderTheyAreRanked) {
  EXPECT_EQ(command_of(openmpi5, kTwoNodes),
            "mpiexec -n 8 --map-by ppr:4:node --rank-by slot --bind-to core");
  EXPECT_EQ(command_of(openmpi5, dealt_out()),
            "mpiexec -n 8 --map-by ppr:4:node --rank-by node --bind-to core");
  EXPECT_EQ(command_of(openmpi5, oversubscribed()),
            "mpiexec -n 8 --map-by ppr:4:node:OVERSUBSCRIBE --rank-by slot --bind-to none "
            "--mca mpi_yield_when_idle 1");
}

TEST(Srun, SpeaksTheProcessManagementInterfaceOfItsName) {
  EXPECT_EQ(command_of(srun_pmi2_mpich, kTwoNodes),
            "mpiexec --mpi=pmi2 -N 2 -n 8 --ntasks-per-node=4 -m block --input=0 "
            "--kill-on-bad-exit=1 --cpu-bind=cores");
  EXPECT_EQ(command_of(srun_pmix_openmpi, dealt_out()),
            "mpiexec --mpi=pmix -N 2 -n 8 --ntasks-per-node=4 -m cyclic --input=0 "
            "--kill-on-bad-exit=1 --cpu-bind=cores");
  EXPECT_TRUE(command_of(srun_pmix_mpich, kTwoNodes).starts_with("mpiexec --mpi=pmix "));
  EXPECT_TRUE(command_of(srun_pmi2_openmpi, kTwoNodes).starts_with("mpiexec --mpi=pmi2 "));
}

TEST(Srun, LetsRanksShareCoresWhenThereAreMoreOfThem) {
  EXPECT_EQ(command_of(srun_pmi2_mpich, oversubscribed()),
            "mpiexec --mpi=pmi2 -N 2 -n 8 --ntasks-per-node=4 -m block --input=0 "
            "--kill-on-bad-exit=1 --overcommit --cpu-bind=none "
            "--export=ALL,LD_PRELOAD=/lib/yield.so");
  const ChildProcess::Command command =
      srun_pmix_openmpi.command("srun", oversubscribed(), "/lib/yield.so");
  EXPECT_EQ(command.arguments.back(), "--cpu-bind=none");
  EXPECT_EQ(command.environment, std::vector<std::string>{"OMPI_MCA_mpi_yield_when_idle=1"});
}

TEST(Pbs, FillsNodesAndRefusesWhatPalsHasNoOptionFor) {
  EXPECT_EQ(command_of(pbs, kTwoNodes), "mpiexec -n 8 --ppn 4 --cpu-bind core");
  EXPECT_EQ(command_of(pbs, oversubscribed()),
            "mpiexec -n 8 --ppn 4 --cpu-bind none --env LD_PRELOAD=/lib/yield.so");
  EXPECT_THROW((void)command_of(pbs, dealt_out()), UsageError);
}

TEST(Flux, FillsNodesOrMapsTasksCyclically) {
  EXPECT_EQ(command_of(flux_mpich, kTwoNodes),
            "mpiexec run -N 2 -n 8 -o cpu-affinity=per-task -o mpi=none");
  EXPECT_EQ(
      command_of(flux_openmpi, dealt_out()),
      "mpiexec run -N 2 -n 8 -o cpu-affinity=per-task --taskmap=cyclic -o mpi=none -o pmi=pmix");
}

TEST(Flux, TakesWholeNodesWhenThereAreMoreRanksThanCores) {
  EXPECT_EQ(command_of(flux_mpich, oversubscribed()),
            "mpiexec run -N 2 --tasks-per-node=4 --exclusive -o cpu-affinity=off -o mpi=none "
            "--env=LD_PRELOAD=/lib/yield.so");
  EXPECT_TRUE(command_of(flux_openmpi, oversubscribed())
                  .ends_with("-o pmi=pmix --env=OMPI_MCA_mpi_yield_when_idle=1"));
}

TEST(Launchers, HaveNamesOfTheirOwnForEachLibrary) {
  for (const char* library : {"mpich", "openmpi"}) {
    std::set<std::string_view> names;
    for (const Launcher* launcher : launchers_of(library)) {
      EXPECT_TRUE(names.insert(launcher->name).second) << launcher->name;
      EXPECT_FALSE(launcher->name.empty());
    }
    EXPECT_GE(names.size(), 4U);
  }
}

}  // namespace
}  // namespace breakeven::launch
