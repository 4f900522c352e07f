// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "cli/machine_options.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/run_program.hpp"
#include "cli/show.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "harness/launch/child_process.hpp"
#include "harness/launch/program.hpp"
#include "harness/session/job_tuning.hpp"
#include "harness/session/profile_sweep.hpp"
#include "harness/session/program.hpp"
#include "harness/session/session.hpp"
#include "tuner/verify/verification_files.hpp"

namespace breakeven::cli {

namespace {

namespace fs = std::filesystem;

/// A share of the program's time, or a time.
struct Budget {
  double share = 0;
  Seconds time{};
  [[nodiscard]] Seconds of(Seconds program) const { return {share * program.value + time.value}; }
};

Budget parse_budget(std::string_view text) {
  if (!text.ends_with('%')) return {.time = parse_duration(text)};
  const auto percent = number_in<double>(text.substr(0, text.size() - 1));
  if (percent && *percent > 0 && *percent <= 100) return {.share = *percent / 100};
  throw UsageError(fmt::format("--tune {}: possible are 2%, 30s, 5min", text));
}

/// Shows progress; of the lines for the user, those that warn.
class TuningProgress final : public Progress {
 public:
  TuningProgress() : Progress{0} {}
  void say(const std::string& line) override {
    if (line.starts_with("warning")) Progress::say(line);
  }
};

/// The number of processes that the command or the batch system names.
std::optional<int> procs_of(const std::vector<std::string>& command) {
  for (std::size_t i = 0; i < command.size(); ++i) {
    for (const std::string_view name : {"-n", "-np", "--np", "--ntasks"}) {
      if (command[i] == name && i + 1 < command.size()) return number_in<int>(command[i + 1]);
      const std::string with_value = fmt::format("{}=", name);
      if (command[i].starts_with(with_value))
        return number_in<int>(command[i].substr(with_value.size()));
    }
  }
  const char* const tasks = std::getenv("SLURM_NTASKS");
  return tasks == nullptr ? std::nullopt : number_in<int>(tasks);
}

/// A profile that an earlier job kept.
struct Kept {
  fs::path file{};
  tables::Profile profile{};
};

fs::path profile_file(const RunOptions& options, bool short_run, int procs) {
  return session::tuning_file(options.tables,
                              fmt::format("{}-{}.json", short_run ? "short" : "profile", procs));
}

/// The profile for the command's number of processes; the newest where it names none.
std::optional<Kept> kept_profile(const RunOptions& options, bool short_run) {
  std::optional<fs::path> found;
  if (const auto procs = procs_of(options.command)) {
    found = profile_file(options, short_run, *procs);
  } else {
    const fs::path folder = session::tuning_file(options.tables, "");
    if (!fs::exists(folder)) return std::nullopt;
    for (const fs::path& file : fs::directory_iterator{folder}) {
      const bool of_kind = file.filename().string().starts_with(short_run ? "short-" : "profile-");
      if (of_kind && (!found || fs::last_write_time(file) > fs::last_write_time(*found)))
        found = file;
    }
  }
  if (!found || !fs::exists(*found)) return std::nullopt;
  return Kept{*found, session::profile_in(*found)};
}

/// @return the profile's file
Kept keep(const RunOptions& options, bool short_run, tables::Profile profile) {
  const fs::path file = profile_file(options, short_run, profile.procs);
  fs::create_directories(file.parent_path());
  write_file(file, tables::to_json(profile));
  return {file, std::move(profile)};
}

/// The program's MPI library.
std::string library_of(const RunOptions& options, const TuneOptions& tune) {
  if (!tune.library.empty()) return tune.library;
  if (fs::exists(fs::path{options.tables} / "table.json"))
    return session::read_program_tables(options.tables).mpi();
  const launch::CommandFacts facts = launch::facts_of(options.command);
  if (!facts.launches.empty()) return facts.launches;
  if (!facts.programs.empty()) return facts.programs.front().second;
  throw UsageError(
      fmt::format("'{}' does not tell the program's MPI library: --machine mpich or "
                  "--machine openmpi does",
                  options.command.front()));
}

/// Runs the short command without tables.
std::optional<Kept> short_profile(const RunOptions& options, const TuneOptions& tune,
                                  const std::string& library, session::TuningStep& step) {
  const session::Clock::time_point begin = session::Clock::now();
  session::ProgramEnd end = session::run_program(
      {.command = launch::split_words(tune.short_run), .mpi = library, .quiet = true}, nullptr);
  step = {.name = "short run", .took = session::since(begin), .outcome = "profiled"};
  if (end.status == 0 && end.profile) return keep(options, true, std::move(*end.profile));
  step.outcome = fmt::format("ended with status {}{}", end.status,
                             end.complaints.empty() ? "" : ": " + end.complaints.front());
  return std::nullopt;
}

void print_account(const std::vector<session::TuningStep>& steps, const Played& played,
                   const std::optional<Kept>& profile, bool short_run) {
  std::vector<Cells> cells;
  double tuning_s = 0;
  for (const session::TuningStep& step : steps) {
    tuning_s += step.took.value;
    cells.push_back({step.name, fmt::format("{:.3g}", step.took.value), step.outcome});
  }
  if (!played.profile || steps.empty()) return;
  const double wall_s = played.profile->wall_s;
  std::string outcome = played.by_tables ? "with the tables" : "by the library's default";
  if (profile && played.by_tables && !short_run)
    outcome += fmt::format("; {:.4g} s without, when it was profiled", profile->profile.wall_s);
  cells.push_back({"program", fmt::format("{:.4g}", wall_s), outcome});
  fmt::print(stderr, "\n{}\ntuning took {:.3g} s, {:.1f} % of the program",
             to_table({"step", "time_s", "outcome"}, cells), tuning_s, 100 * tuning_s / wall_s);
  if (played.saved_s) {
    fmt::print(stderr, "; the tables saved {:.3g} s: it {}", *played.saved_s,
               *played.saved_s > tuning_s ? "paid" : "did not pay in this job");
  }
  fmt::print(stderr, "\n");
}

}  // namespace

void add_tune_options(CLI::App& app, TuneOptions& options) {
  app.add_option("--tune", options.budget,
                 "tune first, for this share of the program's time, or this time: 2%, 30s; makes "
                 "the tables, keeps them and all measurements for the next job [no]")
      ->type_name("SHARE|TIME");
  app.add_option("--machine", options.library,
                 "with --tune: MPI library of the program: mpich or openmpi [that of the tables or "
                 "of the command]")
      ->type_name("MACHINE");
  app.add_option("--short-run", options.short_run,
                 "with --tune: a command that calls as the program does, in less time; its profile "
                 "stands for the program's [none: an earlier job's]")
      ->type_name("COMMAND");
  add_duration(app, "--program-time", options.program,
               "with --tune: time that the program takes [that of its profile]");
  add_launcher_options(app, options.launcher);
}

int run_tuned(const RunOptions& options, const TuneOptions& tune) {
  const session::Clock::time_point begin = session::Clock::now();
  const Budget budget = parse_budget(tune.budget);
  const std::string library = library_of(options, tune);
  const bool short_run = !tune.short_run.empty();
  if (short_run && budget.share > 0 && tune.program.value == 0) {
    throw UsageError("--short-run with a share: --program-time says of which time");
  }
  std::vector<session::TuningStep> steps;
  std::optional<Kept> profile = kept_profile(options, short_run);
  if (!profile && short_run) profile = short_profile(options, tune, library, steps.emplace_back());
  if (profile) {
    const Seconds program =
        tune.program.value > 0 ? tune.program : Seconds{profile->profile.wall_s};
    TuningProgress progress;
    std::ranges::move(session::tune_in_job({.folder = options.tables,
                                            .library = library,
                                            .profile = profile->profile,
                                            .file = profile->file,
                                            .repeats = program.value / profile->profile.wall_s,
                                            .budget = budget.of(program),
                                            .since = begin,
                                            .launcher = tune.launcher},
                                           progress),
                      std::back_inserter(steps));
    progress.clear();
    launch::heed_interrupts();
  } else {
    fmt::print(
        stderr,
        "breakeven: no profile of this program yet: this job makes it, the next one tunes\n");
  }
  RunOptions program = options;
  program.library = library;
  if (!verify::is_verified(options.tables)) program.tables.clear();
  const Played played = play(program);
  if (!short_run && program.tables.empty() && played.profile)
    profile = keep(options, false, *played.profile);
  print_account(steps, played, profile, short_run);
  return played.status;
}

}  // namespace breakeven::cli
