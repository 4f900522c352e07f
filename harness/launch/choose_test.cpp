// SPDX-License-Identifier: BSD-3-Clause
#include "harness/launch/choose.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/error.hpp"

namespace breakeven::launch {
namespace {

namespace fs = std::filesystem;

/// A folder of made-up programs, first in PATH, and the environment as it was afterwards.
class Choose : public ::testing::Test {
 protected:
  void SetUp() override {
    if (launchers().empty()) GTEST_SKIP() << "no MPI library in this build";
    unsetenv("SLURM_JOB_ID");
    fs::create_directories(folder_);
    setenv("PATH", (folder_.string() + ":" + path_).c_str(), 1);
  }
  void TearDown() override {
    setenv("PATH", path_.c_str(), 1);
    unsetenv("SLURM_JOB_ID");
    fs::remove_all(folder_);
  }

  /// A program that prints this text under all options.
  std::string program(const std::string& name, const std::string& words) {
    const fs::path file = folder_ / name;
    std::ofstream{file} << "#!/bin/sh\necho '" << words << "'\n";
    fs::permissions(file, fs::perms::owner_all);
    return file.string();
  }

  static const Launcher& own(std::string_view library) { return find_launcher(library); }
  static bool has(std::string_view library) {
    for (const Launcher* launcher : launchers()) {
      if (launcher->library == library) return true;
    }
    return false;
  }

  std::string library_{launchers().empty() ? "" : launchers().front()->library};

 private:
  std::string path_{std::getenv("PATH")};
  fs::path folder_{fs::temp_directory_path() / ("breakeven_choose." + std::to_string(getpid()))};
};

TEST_F(Choose, TheLibrarysOwnUnlessTold) {
  const ChosenLauncher chosen = choose_launcher(library_, "");
  EXPECT_EQ(chosen.launcher, &own(library_));
  EXPECT_EQ(chosen.program, own(library_).program);
  EXPECT_EQ(chosen.why, "");
}

TEST_F(Choose, ByNameAlsoWithAProgram) {
  EXPECT_EQ(choose_launcher(library_, "flux").program, "flux");
  const ChosenLauncher chosen = choose_launcher(library_, "srun-pmix=/opt/slurm/bin/srun");
  EXPECT_EQ(chosen.launcher->name, "srun-pmix");
  EXPECT_EQ(chosen.program, "/opt/slurm/bin/srun");
}

TEST_F(Choose, SrunIsItsUsualFormForTheLibrary) {
  const std::string usual = library_ == "mpich" ? "srun-pmi2" : "srun-pmix";
  EXPECT_EQ(choose_launcher(library_, "srun").launcher->name, usual);
}

TEST_F(Choose, AProgramStandsForTheLibrarysOwn) {
  const ChosenLauncher chosen = choose_launcher(library_, "/no/such/mpiexec");
  EXPECT_EQ(chosen.launcher, &own(library_));
  EXPECT_EQ(chosen.program, "/no/such/mpiexec");
  EXPECT_EQ(choose_launcher(library_, "/usr/bin/srun").launcher->program, "srun");
}

TEST_F(Choose, OpenMpisFormGoesByItsVersion) {
  if (!has("openmpi")) GTEST_SKIP() << "no Open MPI in this build";
  const std::string four = program("mpirun4", "mpirun (Open MPI) 4.1.4");
  const std::string five = program("mpirun5", "mpirun (Open MPI) 5.0.3");
  EXPECT_EQ(choose_launcher("openmpi", four).launcher, &openmpi4);
  EXPECT_EQ(choose_launcher("openmpi", five).launcher, &openmpi5);
  EXPECT_EQ(choose_launcher("openmpi", "openmpi4=" + five).launcher, &openmpi4);
  EXPECT_TRUE(is_prrte("prterun (PRRTE) 3.0.2"));
  EXPECT_FALSE(is_prrte(""));
}

TEST_F(Choose, SrunInsideAnAllocationAndSaysSo) {
  const std::string pmi{choose_launcher(library_, "srun").launcher->name.substr(5)};
  static_cast<void>(program("srun", "MPI plugin types are... none pmi2 pmix pmix_v4"));
  EXPECT_EQ(choose_launcher(library_, "").launcher, &own(library_));
  setenv("SLURM_JOB_ID", "4711", 1);
  const ChosenLauncher chosen = choose_launcher(library_, "");
  EXPECT_EQ(chosen.launcher->name, "srun-" + pmi);
  EXPECT_NE(chosen.why.find("4711"), std::string::npos);
  EXPECT_NE(chosen.why.find("--mpi=" + pmi), std::string::npos);
}

TEST_F(Choose, NoSrunThatDoesNotSpeakTheLibrarysInterface) {
  static_cast<void>(program("srun", "MPI plugin types are... none cray_shasta"));
  setenv("SLURM_JOB_ID", "4711", 1);
  EXPECT_EQ(choose_launcher(library_, "").launcher, &own(library_));
}

TEST_F(Choose, AnUnknownNameIsRefusedWithTheList) {
  try {
    static_cast<void>(choose_launcher(library_, "srum"));
    FAIL() << "accepted";
  } catch (const UsageError& error) {
    const std::string words = error.what();
    EXPECT_NE(words.find("'srum'"), std::string::npos);
    for (const Launcher* launcher : launchers_of(library_)) {
      EXPECT_NE(words.find(launcher->name), std::string::npos) << words;
    }
  }
}

}  // namespace
}  // namespace breakeven::launch
