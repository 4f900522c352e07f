// SPDX-License-Identifier: BSD-3-Clause
#include "harness/launch/program.hpp"

#include <gtest/gtest.h>

namespace breakeven::launch {
namespace {

using Words = std::vector<std::string>;

Words with_variable(Words command, std::string_view library) {
  return with_environment(std::move(command), library, {"A=1 2"}).arguments;
}

TEST(WithEnvironment, AsksMpiexecByItsOptions) {
  EXPECT_EQ(with_variable({"mpiexec.mpich", "-n", "2", "./a", "x"}, "mpich"),
            (Words{"mpiexec.mpich", "-genv", "A", "1 2", "-n", "2", "./a", "x"}));
  EXPECT_EQ(with_variable({"/opt/bin/mpirun", "-n", "2", "./a"}, "openmpi"),
            (Words{"/opt/bin/mpirun", "-x", "A=1 2", "-n", "2", "./a"}));
}

TEST(WithEnvironment, ReachesAllProgramsOfAJob) {
  EXPECT_EQ(with_variable({"mpirun", "./a", ":", "./b"}, "openmpi"),
            (Words{"mpirun", "-x", "A=1 2", "./a", ":", "-x", "A=1 2", "./b"}));
  EXPECT_EQ(with_variable({"mpiexec", "./a", ":", "./b"}, "mpich"),
            (Words{"mpiexec", "-genv", "A", "1 2", "./a", ":", "./b"}));
}

TEST(WithEnvironment, PutsOursBeforeWhatTheUserPreloads) {
  const auto preloading = [](Words command, std::string_view library) {
    return with_environment(std::move(command), library, {"LD_PRELOAD=o.so"}).arguments;
  };
  EXPECT_EQ(
      preloading({"mpiexec", "-genv", "LD_PRELOAD", "u.so", "./a"}, "mpich"),
      (Words{"mpiexec", "-genv", "LD_PRELOAD", "o.so", "-genv", "LD_PRELOAD", "o.so:u.so", "./a"}));
  EXPECT_EQ(preloading({"mpiexec", "-x", "LD_PRELOAD=u.so", "./a"}, "openmpi"),
            (Words{"mpiexec", "-x", "LD_PRELOAD=o.so", "-x", "LD_PRELOAD=o.so:u.so", "./a"}));
  EXPECT_EQ(preloading({"mpiexec", "-x", "LD_PRELOAD", "./a"}, "openmpi"),
            (Words{"mpiexec", "-x", "LD_PRELOAD=o.so", "-x", "LD_PRELOAD=o.so", "./a"}));
  EXPECT_EQ(preloading({"srun", "--export=ALL,LD_PRELOAD=u.so", "./a", "MY_LD_PRELOAD=x"}, "mpich"),
            (Words{"srun", "--export=ALL,LD_PRELOAD=o.so:u.so", "./a", "MY_LD_PRELOAD=x"}));
}

TEST(WithEnvironment, IsHandedOnByOthers) {
  const ChildProcess::Command command = with_environment({"srun", "./a"}, "mpich", {"A=1"});
  EXPECT_EQ(command.arguments, (Words{"srun", "./a"}));
  EXPECT_EQ(command.environment, (Words{"A=1"}));
}

}  // namespace
}  // namespace breakeven::launch
