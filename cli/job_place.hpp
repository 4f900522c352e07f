// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>

#include "cli/run_program.hpp"

namespace breakeven::cli {

/// Where jobs of one library and layout keep all that they find.
struct JobPlace {
  std::string library{};
  std::filesystem::path folder{};    ///< of the tables
  std::filesystem::path database{};  ///< for all layouts

  [[nodiscard]] std::filesystem::path profile(bool short_run) const {
    return folder / (short_run ? "short_run.json" : "profile.json");
  }
  /// The command of the job that the profile is of, or stands for.
  [[nodiscard]] std::filesystem::path command(bool short_run) const {
    return profile(short_run).replace_extension(".command");
  }
};

/// "tables/mpich-8", with several nodes of a batch job "tables/mpich-8-on-2"; "tables/mpich" where
/// nothing names the processes.
/// @throws UsageError where nothing tells the program's MPI library
[[nodiscard]] JobPlace place_of(const RunOptions& options, const TuneOptions& tune);

}  // namespace breakeven::cli
