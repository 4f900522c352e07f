// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>

#include "cli/job_place.hpp"
#include "cli/machine_options.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/run_program.hpp"
#include "cli/tuning_account.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "harness/launch/child_process.hpp"
#include "harness/launch/program.hpp"
#include "harness/session/job_tuning.hpp"
#include "harness/session/kept_tables.hpp"
#include "harness/session/profile_sweep.hpp"
#include "harness/session/program.hpp"
#include "harness/session/session.hpp"
#include "tables/saving.hpp"

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
  if (text.ends_with('%')) {
    const auto percent = number_in<double>(text.substr(0, text.size() - 1));
    if (percent && *percent > 0 && *percent <= 100) return {.share = *percent / 100};
    throw UsageError(fmt::format("--tune {}: possible are 2%, 30s, 5min", text));
  }
  try {
    return {.time = parse_duration(text)};
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("--tune {}: {}; possible are 2%, 30s, 5min", text, error.what()));
  }
}

/// Shows progress; of the lines for the user, those that warn.
class TuningProgress final : public Progress {
 public:
  TuningProgress() : Progress{0} {}
  void say(const std::string& line) override {
    if (line.starts_with("warning")) Progress::say(line);
  }
};

/// Whether two profiles are of one program, with all processes on one layout.
bool alike(const tables::Profile& one, const tables::Profile& other) {
  const auto program = [](const tables::Profile& profile) {
    return profile.command.substr(0, profile.command.find(' '));
  };
  const auto layouts = [](const tables::Profile& profile) {
    std::set<NodeLayout> found;
    for (const auto& [use, amount] : profile.uses) {
      if (use.layout.procs == profile.procs) found.insert(use.layout);
    }
    return found;
  };
  return program(one) == program(other) && layouts(one) == layouts(other);
}

/// One job that tunes its program.
class TunedJob {
 public:
  TunedJob(const RunOptions& options, const TuneOptions& tune, const Budget& budget)
      : options_{options}, tune_{tune}, budget_{budget}, place_{place_of(options, tune)} {}

  int run();

 private:
  [[nodiscard]] bool short_run() const { return !tune_.short_run.empty(); }
  [[nodiscard]] std::string command() const {
    return to_text(launch::ChildProcess::Command{.arguments = options_.command});
  }
  void prepare();
  void tune();
  [[nodiscard]] int profile_short_run();
  void keep(const tables::Profile& profile) const;
  [[nodiscard]] bool replaces_calls() const;
  [[nodiscard]] bool to_be_preloaded() const;
  using Observed = std::optional<tables::ObservedSaving>;
  [[nodiscard]] Observed observed(const Played& played) const;
  void learn_from(const Played& played, Seconds took, const Observed& saved);

  const RunOptions& options_;
  const TuneOptions& tune_;
  const Budget& budget_;
  JobPlace place_;
  session::Clock::time_point begin_ = session::Clock::now();
  std::optional<tables::Profile> profile_{};
  std::optional<session::TablesLock> lock_{};
  bool trusted_ = false;
  bool preloaded_ = true;
  std::vector<session::TuningStep> steps_{};
};

/// Whatever fails here, the program runs.
void TunedJob::prepare() try {
  lock_ = session::TablesLock::take(place_.folder, session::TablesLock::Kind::change);
  if (lock_) {
    tune();
    lock_->share();
  } else {
    steps_.push_back({"tuning", {}, "another job uses or makes these tables"});
    lock_ = session::TablesLock::take(place_.folder, session::TablesLock::Kind::use);
  }
  trusted_ = lock_ && session::is_trusted(place_.folder);
  preloaded_ = to_be_preloaded();
} catch (const std::exception& error) {
  steps_.push_back({"tuning", {}, error.what()});
}

void TunedJob::tune() {
  const session::Program program{.command = options_.command, .mpi = place_.library};
  if (const std::string obstacle = session::obstacle_to(program, nullptr); !obstacle.empty())
    return;
  const fs::path file = place_.profile(short_run());
  if (short_run() && !fs::exists(file)) {
    const int status = profile_short_run();
    if (status == 128 + SIGINT) std::raise(SIGINT);
    if (!fs::exists(file)) return;
  }
  if (!fs::exists(file)) {
    steps_.push_back({"profile", {}, "none yet: this job makes it, the next one tunes"});
    return;
  }
  profile_ = session::profile_in(file);
  if (profile_->wall_s <= 0)
    throw Error(fmt::format("{} has no time of the program", file.string()));
  const Seconds time = tune_.program.value > 0 ? tune_.program : Seconds{profile_->wall_s};
  TuningProgress progress;
  std::ranges::move(session::tune_in_job({.folder = place_.folder,
                                          .database = place_.database,
                                          .file = file,
                                          .library = place_.library,
                                          .profile = *profile_,
                                          .repeats = time.value / profile_->wall_s,
                                          .budget = budget_.of(time),
                                          .since = begin_,
                                          .launcher = tune_.launcher},
                                         progress),
                    std::back_inserter(steps_));
  progress.clear();
  launch::heed_interrupts();
}

/// Runs the short command without tables, and keeps its profile.
/// @return its exit status
int TunedJob::profile_short_run() {
  const session::Clock::time_point begin = session::Clock::now();
  const session::ProgramEnd end = session::run_program(
      {.command = launch::split_words(tune_.short_run), .mpi = place_.library, .quiet = true},
      nullptr);
  steps_.push_back({"short run", session::since(begin),
                    fmt::format("ended with status {}{}", end.status,
                                end.complaints.empty() ? "" : ": " + end.complaints.front())});
  if (end.status == 0 && end.profile) keep(*end.profile);
  return end.status;
}

/// With the job's command, by which the next job knows whether it is the same.
void TunedJob::keep(const tables::Profile& profile) const {
  const fs::path file = place_.profile(short_run());
  fs::create_directories(file.parent_path());
  write_file(file, tables::to_json(profile));
  write_file(place_.command(short_run()), command());
}

/// Whether the tables have an algorithm for any call.
bool TunedJob::replaces_calls() const {
  const session::ProgramTables tables = session::read_program_tables(place_.folder);
  const auto replaces = [](const tables::Rule& rule) { return !rule.what.variant.is<Native>(); };
  return std::ranges::any_of(tables.all.table.rules, replaces) ||
         (tables.library && std::ranges::any_of(tables.library->rules, replaces));
}

/// Whether the program runs with the preloaded library: tables replace its calls, or a profile is
/// missing. Each call takes 0.2 us more there, a loss for programs of short calls.
bool TunedJob::to_be_preloaded() const {
  if (!profile_ || (trusted_ && replaces_calls())) return true;
  const fs::path profiled = place_.command(short_run());
  return !fs::exists(profiled) || read_file(profiled) != command();
}

/// The saving of the program's own calls against its profile, which is of a run without tables;
/// nothing where the two can't be compared.
TunedJob::Observed TunedJob::observed(const Played& played) const {
  if (!played.by_tables || !played.profile || played.status != 0 || !profile_) return std::nullopt;
  if (!alike(*profile_, *played.profile)) return std::nullopt;
  return tables::observed_saving(*played.profile, *profile_);
}

/// Keeps the profile of a run without tables; forgets what does not hold for this job.
void TunedJob::learn_from(const Played& played, Seconds took, const Observed& saved) {
  if (!lock_ || !played.profile || played.status != 0) return;
  const bool other = profile_ && !alike(*profile_, *played.profile);
  if (other) fs::remove(place_.profile(short_run()));
  if (other || (trusted_ && !played.by_tables)) session::distrust(place_.folder);
  if (saved && saved->most_s < 0) session::refute(place_.folder);
  if (!other && trusted_) write_file(place_.command(short_run()), command());
  if (trusted_ || short_run()) return;
  tables::Profile profile = *played.profile;
  if (!profile.programs.empty()) profile.wall_s = took.value;  // some may have run at once
  keep(profile);
}

int TunedJob::run() {
  prepare();
  const Seconds tuning = session::since(begin_);
  RunOptions program = options_;
  program.library = place_.library;
  program.tables = trusted_ ? place_.folder.string() : "";
  const session::Clock::time_point begin = session::Clock::now();
  const Played played =
      preloaded_ ? play(program)
                 : Played{.status = launch::run_in_foreground({.arguments = options_.command})};
  steps_.push_back({"program", session::since(begin),
                    played.by_tables ? "with the tables" : "by the library's default"});
  if (!played.complaint.empty()) steps_.back().outcome += ": " + played.complaint;
  if (played.by_tables && profile_ && played.profile &&
      profile_->command == played.profile->command) {
    steps_.back().outcome +=
        fmt::format("; {:.4g} s from MPI_Init to MPI_Finalize, {:.4g} s when it was profiled",
                    played.profile->wall_s, profile_->wall_s);
  }
  const Observed saved = observed(played);
  try {
    learn_from(played, steps_.back().took, saved);
  } catch (const std::exception& error) {
    steps_.push_back({"profile", {}, error.what()});
  }
  fmt::print(stderr, "\n{}\n",
             to_text({.steps = steps_,
                      .tuning = tuning,
                      .whole = {tuning.value + session::since(begin).value},
                      .in_calls = saved,
                      .by_speedups_s = played.saved_s}));
  return played.status;
}

}  // namespace

void add_tune_options(CLI::App& app, TuneOptions& options) {
  CLI::Option* const tune =
      app.add_option(
             "--tune", options.budget,
             "tune first, for this share of the program's time, or this time: 2%, 30s; makes "
             "the tables, keeps them and all measurements for the next job [no]")
          ->type_name("SHARE|TIME");
  app.add_option("--machine", options.library,
                 "with --tune: MPI library of the program: mpich or openmpi [that of the command]")
      ->needs(tune)
      ->type_name("MACHINE");
  app.add_option("--short-run", options.short_run,
                 "with --tune: a command that calls as the program does, in less time; its profile "
                 "stands for the program's [none: an earlier job's]")
      ->needs(tune)
      ->type_name("COMMAND");
  add_duration(app, "--program-time", options.program,
               "with --tune: time that the program takes [that of its profile]")
      ->needs(tune);
  add_launcher_options(app, options.launcher);
  tune->excludes(app.get_option("--strict"));
}

int run_tuned(const RunOptions& options, const TuneOptions& tune) {
  const Budget budget = parse_budget(tune.budget);
  if (!tune.short_run.empty() &&
      (tune.program.value <= 0 || launch::split_words(tune.short_run).empty())) {
    throw UsageError("--short-run: a command, and with it --program-time, the time of the program");
  }
  return TunedJob{options, tune, budget}.run();
}

}  // namespace breakeven::cli
