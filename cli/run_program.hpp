// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/launch/job.hpp"
#include "tables/profile.hpp"

namespace CLI {
class App;
}

namespace breakeven::cli {

/// The options of `breakeven run` and `breakeven profile`.
struct RunOptions {
  std::string tables;   ///< a folder; empty: the program is only watched
  std::string library;  ///< "mpich", where no table says it
  std::string profile;  ///< to write; empty: none
  bool strict = false;
  std::vector<std::string> command;
};

/// The end of a program that ran in the foreground.
struct Played {
  int status = 0;
  bool by_tables = false;
  std::string complaint{};  ///< the run's first; empty: none
  std::optional<tables::Profile> profile{};
  std::optional<double> saved_s{};  ///< by the tables
};

/// Runs the program, prints its profile on standard error, and writes it. A program that can't run
/// with Breakeven runs without, after a line that says why.
[[nodiscard]] Played play(const RunOptions& options);

/// The options of `breakeven run --tune`.
struct TuneOptions {
  std::string budget;     ///< "2%" of the program's time, "30s"; empty: it does not tune
  std::string short_run;  ///< a command that calls as the program does, in less time
  Seconds program{};      ///< time of the program; 0: that of its profile
  std::string library;    ///< "mpich"; empty: that of the tables, or of the command
  launch::LauncherOptions launcher;
};

void add_tune_options(CLI::App& app, TuneOptions& options);

/// Measures the program's calls within the budget, makes and verifies tables, runs the program with
/// them, and prints an account. Where no profile of the program is known, it runs by the library's
/// default, and its profile is kept for the next job.
[[nodiscard]] int run_tuned(const RunOptions& options, const TuneOptions& tune);

}  // namespace breakeven::cli
