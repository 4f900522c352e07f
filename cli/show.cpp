// SPDX-License-Identifier: BSD-3-Clause
#include "cli/show.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <tuple>

#include "cli/command.hpp"
#include "cli/machine_options.hpp"
#include "cli/options.hpp"
#include "core/error.hpp"
#include "tables/formats/mpich/own_choice.hpp"
#include "tuner/equal_names.hpp"

namespace breakeven::cli::show_command {

namespace {

struct Options {
  DatabaseOptions database{};
  std::string statistic = "time";
  std::optional<Collective> collective{};
  std::optional<int> procs{};
  std::string format = "text";
  bool samples = false;

  /// Whether the case was asked for.
  [[nodiscard]] bool wants(const Case& what) const {
    return (!collective || what.collective == *collective) && (!procs || what.procs == *procs);
  }
};

constexpr std::array kStatistics{&kTimeStatistic, &kMedianStatistic, &kOverlapStatistic,
                                 &kOsuStatistic,  &kImbStatistic,    &kReproStatistic};

[[noreturn]] void refuse_empty(const Selection& from) {
  throw UsageError(
      fmt::format("nothing like this was measured on {}; 'breakeven status' shows what "
                  "was",
                  from.machine.name));
}

std::map<Case, CaseHistory> collect(const Selection& from, const Options& wanted, bool samples) {
  std::map<Case, CaseHistory> cases;
  const auto find = [&](const Case& what) -> CaseHistory* {
    if (!wanted.wants(what)) return nullptr;
    CaseHistory& history = cases[what];
    history.what = what;
    return &history;
  };
  for (results::StoredMeasurement& each : from.store.stored_measurements(from.id)) {
    if (CaseHistory* history = find(each.measurement.what))
      history->launches.push_back(std::move(each));
  }
  for (const results::Failure& each : from.store.failures(from.id)) {
    if (CaseHistory* history = find(each.what)) history->failures.push_back(each.reason);
  }
  const formats::mpich::OwnChoice own{from.machine, from.store.capabilities(from.id)};
  for (auto& [what, history] : cases) {
    if (what.variant.is<Native>()) history.own_choice = own.choose(what);
    if (what.form != CallForm::persistent) continue;
    const auto found = cases.find(with_form(what, CallForm::nonblocking));
    if (found != cases.end()) history.nonblocking = &found->second;
  }
  if (!samples) return cases;
  from.store.visit_samples(from.id, [&](const results::CaseSamples& each) {
    if (CaseHistory* history = find(each.what)) {
      for (const Seconds duration : each.local) history->samples.push_back(duration.value);
    }
  });
  return cases;
}

void find_contests(std::map<Case, CaseHistory>& cases, const tuner::Contests& contests) {
  for (auto& [what, history] : cases) {
    const Case problem = without_algorithm(what);
    const auto found = contests.find(with_counts(problem, Counts::equal));
    if (found == contests.end()) continue;
    const auto contest = found->second.find(problem.counts);
    const bool measured = contest != found->second.end() && contest->second.find(what) != nullptr;
    if (measured) history.contest = &contest->second;
  }
}

/// The members that all cases of one table have in common.
Case table_of(const Case& what, const Statistic& statistic) {
  Case common = what;
  common.message = {};
  if (!statistic.by_candidate) common.variant = {};
  return common;
}

void print_text(const Selection& from, const Statistic& statistic,
                std::vector<const CaseHistory*> cases) {
  const auto place = [&](const CaseHistory* history) {
    return std::tuple(table_of(history->what, statistic), history->what.message, history->what);
  };
  std::ranges::sort(cases, {}, place);
  fmt::print("# {}{}{}\n", from.machine.name, from.machine.library_version.empty() ? "" : ": ",
             from.machine.library_version);
  if (!from.machine.settings.empty())
    fmt::print("# settings: {}\n", to_text(from.machine.settings));
  fmt::print("# {}\n", statistic.legend);
  std::vector<Case> shown;
  for (const CaseHistory* history : cases) shown.push_back(history->what);
  for (const std::string& line : tuner::other_names(shown)) {
    fmt::print("# equal schedules: {}\n", line);
  }
  Cells columns = statistic.key_columns;
  columns.insert(columns.end(), statistic.columns.begin(), statistic.columns.end());
  std::vector<Cells> rows;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Case& what = cases[i]->what;
    Cells row = statistic.key(what);
    const Cells values = *statistic.cells(*cases[i], ShowFormat::text);
    row.insert(row.end(), values.begin(), values.end());
    rows.push_back(std::move(row));
    const Case table = table_of(what, statistic);
    if (i + 1 < cases.size() && table_of(cases[i + 1]->what, statistic) == table) continue;
    fmt::print("\n{}\n{}", statistic.heading(what), to_table(columns, rows));
    rows.clear();
  }
}

void print_csv(const Statistic& statistic, const std::vector<const CaseHistory*>& cases) {
  Cells columns = csv_columns_of_case();
  columns.insert(columns.end(), statistic.csv_columns.begin(), statistic.csv_columns.end());
  fmt::print("{}", to_csv(columns));
  for (const CaseHistory* history : cases) {
    Cells row = csv_cells(history->what);
    const Cells values = *statistic.cells(*history, ShowFormat::csv);
    row.insert(row.end(), values.begin(), values.end());
    fmt::print("{}", to_csv(row));
  }
}

void print_samples(const Selection& from, const Options& wanted) {
  Cells columns = csv_columns_of_case();
  columns.insert(columns.end(), {"launch", "repetition", "local_s", "global_s"});
  bool any = false;
  from.store.visit_samples(from.id, [&](const results::CaseSamples& samples) {
    if (!wanted.wants(samples.what)) return;
    if (!any) fmt::print("{}", to_csv(columns));
    any = true;
    std::string start = to_csv(csv_cells(samples.what));
    start.back() = ',';
    fmt::memory_buffer text;
    for (std::size_t i = 0; i < samples.local.size(); ++i) {
      fmt::format_to(std::back_inserter(text), "{}{},{},{},", start,
                     static_cast<std::int64_t>(samples.launch), i, samples.local[i].value);
      if (!samples.global.empty()) {
        fmt::format_to(std::back_inserter(text), "{}", samples.global[i].value);
      }
      text.push_back('\n');
    }
    fmt::print("{}", std::string_view{text.data(), text.size()});
  });
  if (!any) refuse_empty(from);
}

int run(const Options& options) {
  const Statistic& statistic =
      **std::ranges::find(kStatistics, options.statistic, &Statistic::name);
  const ShowFormat format = options.format == "csv" ? ShowFormat::csv : ShowFormat::text;
  const Selection from = select_machine(options.database);
  if (options.samples) {
    print_samples(from, options);
    return 0;
  }
  std::map<Case, CaseHistory> all = collect(from, options, statistic.needs_samples);
  if (all.empty()) refuse_empty(from);
  tuner::Contests contests;
  if (statistic.needs_contest) {
    contests = tuner::contests_of(from.store.measurements(from.id));
    find_contests(all, contests);
  }
  std::vector<const CaseHistory*> known;
  for (const auto& [what, history] : all) {
    if (statistic.cells(history, format)) known.push_back(&history);
  }
  if (known.empty()) {
    throw UsageError(fmt::format(
        "no case has what '{}' is made of: a model has no ranks that differ, a blocking call no "
        "overlap",
        statistic.name));
  }
  if (format == ShowFormat::csv) {
    print_csv(statistic, known);
  } else {
    print_text(from, statistic, known);
  }
  if (known.size() < all.size()) {
    fmt::print(stderr, "skipped: {} of {} cases, of which '{}' is not known\n",
               all.size() - known.size(), all.size(), statistic.name);
  }
  return 0;
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  add_database_options(app, options->database);
  std::vector<std::string_view> names;
  for (const Statistic* each : kStatistics) names.push_back(each->name);
  CLI::Option* statistic = add_choice(
      app, "--statistic", options->statistic, names,
      "time: comparable ones, and speedups over native; as measured: median, overlap (of "
      "nonblocking and persistent calls), or what OSU, IMB or ReproMPI report: osu, imb, "
      "repro");
  add(app, "--collective", options->collective, "only this one");
  add(app, "--procs", options->procs, "only this process count");
  add_choice(app, "--format", options->format, {"text", "csv"}, "form of the tables");
  app.add_flag("--samples", options->samples, "every sample, as csv")->excludes(statistic);
  return [options] { return run(*options); };
}

}  // namespace

}  // namespace breakeven::cli::show_command

const breakeven::cli::Command breakeven::cli::kShow{
    .name = "show",
    .summary = "Show measured times, by case or by sample",
    .examples = R"(
Examples:
  breakeven show --db results.db
  breakeven show --db results.db --collective allreduce --procs 4 --statistic osu
  breakeven show --db results.db --samples > samples.csv)",
    .setup = show_command::setup};
