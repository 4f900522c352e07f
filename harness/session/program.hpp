// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "stats/median.hpp"
#include "tables/formats/own/json.hpp"
#include "tables/profile.hpp"

namespace breakeven::session {

/// The tables of a folder that `breakeven tune` wrote, for programs.
struct ProgramTables {
  std::filesystem::path file{};            ///< that the preloaded library reads
  formats::KeptTable all{};                ///< its content
  std::optional<tables::Table> library{};  ///< of files that the MPI library loads, if they exist
  std::vector<std::string> environment{};  ///< "NAME=value", which puts these files in force

  /// "mpich", "openmpi"
  [[nodiscard]] const std::string& mpi() const { return all.provenance.machine.name; }
};

/// @throws UsageError where the folder has none, or for a file with faults: FILE:LINE: reason.
[[nodiscard]] ProgramTables read_program_tables(const std::filesystem::path& folder);

/// A user's program, as a command that starts it.
struct Program {
  std::vector<std::string> command{};
  std::string mpi{};    ///< the library that it is linked to
  bool strict = false;  ///< it ends if the table can't be used
  bool quiet = false;   ///< its standard output is dropped, and it has no input
};

/// The reason, known before its start, why a program can't be run with our library, in a line;
/// empty: none is known.
/// @param tables  in force; null: the program is only watched
/// @throws UsageError where this installation has no part for its library.
[[nodiscard]] std::string obstacle_to(const Program& program, const ProgramTables* tables);

/// The end of a program.
struct ProgramEnd {
  int status = 0;
  std::optional<tables::Profile> profile{};  ///< of all MPI programs that reached MPI_Finalize
  bool by_tables = false;                    ///< all of these ran by the tables
  std::vector<std::string> complaints{};     ///< a line for each program that ran otherwise
};

/// Runs it to its end: any number of MPI programs, one after the other or at once.
/// @param tables  in force; null: by the library's default alone
/// @return status 2 also for a strict program that ended well, but did not run by the tables
[[nodiscard]] ProgramEnd run_program(const Program& program, const ProgramTables* tables);

struct ProgramSpeedup {
  /// Its time from MPI_Init to MPI_Finalize without the tables, divided by that with them: the
  /// median over pairs, with its interval.
  stats::Estimate speedup{};
  std::string without_rules{};  ///< tables::layouts_without_rules of the runs with the tables
};

/// Runs the program with the tables and without, in turns.
/// @param began  called with the number of each run
/// @throws Error when a run does not end with status 0 and a profile.
[[nodiscard]] ProgramSpeedup speedup_of_program(Program program, const ProgramTables& tables,
                                                int pairs,
                                                const std::function<void(int run)>& began);

}  // namespace breakeven::session
