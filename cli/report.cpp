// SPDX-License-Identifier: BSD-3-Clause
#include "report/report.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>

#include "cli/command.hpp"
#include "cli/machine_options.hpp"
#include "cli/options.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "harness/session/outlook.hpp"
#include "harness/session/profile_sweep.hpp"
#include "tables/formats/common/choices.hpp"
#include "tables/worth.hpp"
#include "tuner/comparison.hpp"
#include "tuner/tuned_tables.hpp"

namespace breakeven::cli::report_command {

namespace {

struct Options {
  DatabaseOptions database;
  std::string against;
  std::string profile;
  std::string out;
  std::string command;       ///< that writes the page again
  std::string tune_command;  ///< that writes its tables
};

/// Adds the cases that were not measured, each with the reason.
void add_unmeasured(report::Subject& subject, const Selection& from) {
  for (const results::Failure& each : from.store.failures(from.id))
    subject.unmeasured[each.what] = "failed: " + each.reason;
  const session::LeftOut left_out = session::left_out_of(from.store, from.id, from.machine);
  for (const auto& [skip, procs] : left_out.skipped) {
    subject.skipped.emplace(fmt::format("{}: {}", skip.what, skip.reason), procs);
  }
  for (const auto& [what, ratio] : left_out.pruned) {
    subject.unmeasured.try_emplace(
        what, fmt::format("pruned: predicted to take {:.3g} times as long as the fastest", ratio));
  }
}

report::Subject subject_of(const Selection& from, const std::string& file,
                           std::span<const Measurement> measurements, const ProgramTime& time) {
  if (measurements.empty()) {
    throw UsageError(fmt::format("'{}': nothing was measured on {}", file, from.machine.name));
  }
  report::Subject subject{.database = file,
                          .machine = from.machine,
                          .decisions = tuner::decide(tuner::choosable(measurements), {}, time),
                          .sweeps = from.store.sweeps(from.id),
                          .launches = from.store.launches(from.id),
                          .inspection = from.store.inspection(from.id),
                          .measurements = measurements.size()};
  add_unmeasured(subject, from);
  return subject;
}

bool has_native(std::span<const Measurement> measurements) {
  return std::ranges::any_of(
      measurements, [](const Measurement& each) { return each.what.variant.is<Native>(); });
}

/// The files of a table for the machine, or why there are none.
void add_settings(report::Contents& contents, const Selection& from, const Options& options,
                  std::span<const Measurement> measurements, const ProgramTime& time) {
  const tables::Provenance provenance = session::provenance_of(
      from.store, from.id, options.database.file, options.tune_command, measurements, {});
  contents.version = provenance.version;
  contents.date = provenance.date;
  tuner::TunedTables tables{measurements, {.program_time = time}};
  try {
    static_cast<void>(tables.of(tables::Candidates::all));
  } catch (const UsageError& error) {
    contents.no_settings = error.what();
    return;
  }
  const auto add_worth = [&](std::string_view where, const tables::Table& table) {
    for (const std::string& line : tables::worth_lines(table)) {
      contents.worth.push_back(fmt::format("{}: {}", where, line));
    }
  };
  std::vector<tuner::TableFile> files = tuner::table_files({}, tables, provenance);
  if (tables.of_library()) {
    add_worth("inside the library",
              formats::contained_in(tuner::library_answers(files),
                                    tables.of(tables::Candidates::library).table)
                  .table);
  }
  add_worth("with Breakeven's algorithms", tables.of(tables::Candidates::all).table);
  for (tuner::TableFile& each : files) {
    if (!each.emitted) continue;
    contents.settings.push_back({.name = std::string{each.emitter->file_name},
                                 .of_library = !each.emitter->library.empty(),
                                 .text = std::move(each.emitted->text)});
  }
}

tuner::Side side_of(const report::Subject& subject, std::span<const Measurement> measurements) {
  return {.name = fmt::format("{} ({})", subject.database, subject.machine.name),
          .table = tuner::make_table(measurements),
          .data = subject.decisions};
}

void add_against(report::Contents& contents, const DatabaseOptions& against,
                 std::span<const Measurement> measurements) {
  const Selection from = select_machine(against);
  const std::vector<Measurement> others = from.store.measurements(from.id);
  contents.against = subject_of(from, against.file, others, {});
  try {
    const tuner::Side first = side_of(contents.subject, measurements);
    const tuner::Side second = side_of(*contents.against, others);
    contents.comparison = tuner::comparison_text(tuner::compare(first, second), first, second);
  } catch (const UsageError& error) {
    contents.comparison = fmt::format(
        "Not compared: {}. `breakeven compare` takes --datatype, --op and --root.", error.what());
  }
}

int run(const Options& options) {
  if (!report::available()) {
    throw UsageError(
        "this build makes no reports, because d3.min.js was missing; install it (Debian: "
        "libjs-d3), then configure and build again");
  }
  std::array<DatabaseOptions, 2> files{options.database};
  if (!options.against.empty()) {
    files = in_both({options.database.file, options.against}, options.database.machine);
  }
  const Selection from = select_machine(files[0]);
  const std::vector<Measurement> measurements = from.store.measurements(from.id);
  report::Contents contents{.command = options.command};
  ProgramTime time;
  if (!options.profile.empty()) {
    contents.profile = session::profile_in(options.profile);
    time = tables::program_time(*contents.profile);
  }
  contents.subject = subject_of(from, options.database.file, measurements, time);
  if (contents.profile) {
    static_cast<void>(tuner::covered_text(options.profile, time, tuner::make_table(measurements)));
  }
  if (has_native(measurements)) contents.evaluation = guidelines::evaluate(measurements);
  add_settings(contents, from, options, measurements, time);
  if (!options.against.empty()) add_against(contents, files[1], measurements);
  write_file(options.out, report::page(contents));
  return 0;
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  add_database_options(app, options->database);
  add_file(
      app, "--against", options->against,
      "compare with another database: maps side by side, and how slow each table is by the other's "
      "times");
  add(app, "--profile", options->profile,
      "show what matters for one program: file of `breakeven profile`; the maps show where it "
      "spends its time, and what a table saves")
      ->type_name("FILE");
  add_file(app, "--out", options->out, "page to write: report.html")->required();
  return [options, &app] {
    options->command = command_line(app);
    options->tune_command = fmt::format(
        "{} --out tables", command_line(app, {}, "tune", {"--db", "--machine", "--profile"}));
    return run(*options);
  };
}

}  // namespace

}  // namespace breakeven::cli::report_command

const breakeven::cli::Command breakeven::cli::kReport{
    .name = "report",
    .summary = "Write one page with maps, times, schedules, guidelines and settings",
    .examples = R"(
The page is one file of HTML that needs no network. Maps and lists are readable without JavaScript;
with it each cell shows its candidates, their intervals and launches, and plays the chosen schedule.
Examples:
  breakeven report --db results.db --out report.html
  breakeven report --db monday.db --against tuesday.db --out both.html
  breakeven report --db results.db --profile profile.json --out program.html)",
    .setup = report_command::setup};
