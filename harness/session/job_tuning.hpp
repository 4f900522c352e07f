// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/launch/job.hpp"
#include "harness/session/run_sweep.hpp"
#include "tables/profile.hpp"

namespace breakeven::session {

/// The tuning of a program inside its own job, before it starts. All that it finds stays in the
/// folder of the tables, for the next job: tuning/results.db and the tables themselves.
struct JobTuning {
  std::filesystem::path folder{};
  std::string library{};         ///< of the program: "mpich", "openmpi"
  tables::Profile profile{};     ///< of the program by the library's default
  std::filesystem::path file{};  ///< of the profile
  double repeats = 1;            ///< of the profile's calls in this job
  Seconds budget{};              ///< for everything, from `since` on
  std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
  launch::LauncherOptions launcher{};
};

/// A step of it, for the account.
struct TuningStep {
  std::string name{};  ///< "sweep"
  Seconds took{};
  std::string outcome{};  ///< a line
};

/// The folder's file of that name for tuning, which need not exist.
[[nodiscard]] std::filesystem::path tuning_file(const std::filesystem::path& folder,
                                                const std::string& name);

/// Measures the calls that take most of the program's time, as far as the budget goes and as long
/// as a launch is expected to save more than it takes; makes tables anew where something was
/// measured; verifies them on the program's calls in new launches, and takes back the rules that do
/// not hold. A kill costs the present measurement: the next job goes on. Errors are outcomes.
[[nodiscard]] std::vector<TuningStep> tune_in_job(const JobTuning& tuning, Listener& listener);

}  // namespace breakeven::session
