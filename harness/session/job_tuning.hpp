// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/launch/job.hpp"
#include "harness/session/run_sweep.hpp"
#include "tables/profile.hpp"

namespace breakeven::session {

/// The tuning of a program inside its own job, before it starts.
struct JobTuning {
  std::filesystem::path folder{};    ///< of tables for jobs of this layout
  std::filesystem::path database{};  ///< of the measurements of all jobs
  std::filesystem::path file{};      ///< of the profile
  std::string library{};             ///< of the program: "mpich", "openmpi"
  tables::Profile profile{};         ///< of the program by the library's default
  double repeats = 1;                ///< of the profile's calls in this job
  Seconds budget{};                  ///< for everything, from `since` on
  std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
  launch::LauncherOptions launcher{};
};

/// A step of the tuning.
struct TuningStep {
  std::string name{};  ///< "sweep"
  Seconds took{};
  std::string outcome{};  ///< a line
};

/// Measures the blocking calls that take most of the program's time, as far as the budget goes and
/// as long as a launch is expected to save more than it takes; makes the tables anew where this
/// changes their measurements; verifies them on these calls in new launches, and takes back the
/// rules that do not hold. A kill costs the present measurement: the next job goes on. Errors are
/// outcomes.
/// @pre the folder's lock is held to change it
[[nodiscard]] std::vector<TuningStep> tune_in_job(const JobTuning& tuning, Listener& listener);

}  // namespace breakeven::session
