// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace breakeven::cli {

/// The exit status of a command that was interrupted or spent its budget, and resumes if run again.
inline constexpr int kEndedEarly = 4;

/// One subcommand of `breakeven`.
struct Command {
  std::string_view name;
  std::string_view summary;   ///< one line, in the list of commands
  std::string_view examples;  ///< the end of its --help
  /// Adds its options to `app`. Returns the function that runs once they are parsed: it gives the
  /// exit status, or throws.
  std::function<int()> (*setup)(CLI::App& app);
};

extern const Command kMachines;
extern const Command kDoctor;
extern const Command kSelftest;
extern const Command kClocks;
extern const Command kLaunch;
extern const Command kSweep;
extern const Command kSubmit;
extern const Command kStatus;
extern const Command kMerge;
extern const Command kShow;
extern const Command kTune;
extern const Command kTables;
extern const Command kVerify;
extern const Command kRun;
extern const Command kProfile;
extern const Command kCompare;
extern const Command kCheck;
extern const Command kPlot;
extern const Command kReport;
extern const Command kSchedule;
extern const Command kFit;
extern const Command kPredict;
extern const Command kTimeline;
extern const Command kWorker;
extern const Command kCompletion;

/// In the order in which a user meets them.
inline constexpr std::array kCommands{&kMachines, &kDoctor,  &kSelftest, &kClocks, &kLaunch,
                                      &kSweep,    &kSubmit,  &kStatus,   &kMerge,  &kShow,
                                      &kTune,     &kTables,  &kVerify,   &kRun,    &kProfile,
                                      &kCompare,  &kCheck,   &kPlot,     &kReport, &kSchedule,
                                      &kFit,      &kPredict, &kTimeline, &kWorker, &kCompletion};

/// Runs a Python script with these arguments and passes on its output.
/// @param script  its path under scripts/
/// @param input   for its standard input
/// @throws UsageError with its last words when it refuses (exit status 2), Error when it fails.
void run_script(std::string_view script, const std::vector<std::string>& arguments,
                std::string_view input);

/// The program: parses, runs the chosen command, and prints an error in one line.
/// @return the exit status
int run(int argc, char** argv);

}  // namespace breakeven::cli
