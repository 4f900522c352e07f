// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/job_tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <span>
#include <utility>

#include "core/error.hpp"
#include "core/files.hpp"
#include "harness/plan/settings.hpp"
#include "harness/session/kept_tables.hpp"
#include "harness/session/outlook.hpp"
#include "harness/session/profile_sweep.hpp"
#include "harness/session/program.hpp"
#include "harness/session/session.hpp"
#include "harness/session/trial.hpp"
#include "libraries/library_algorithm.hpp"
#include "stats/case_times.hpp"
#include "tuner/readable.hpp"
#include "tuner/tuned_tables.hpp"
#include "tuner/verify/table_folder.hpp"
#include "tuner/verify/tried_table.hpp"
#include "tuner/verify/verification_files.hpp"
#include "tuner/verify/verification_text.hpp"

namespace breakeven::session {

namespace {

namespace fs = std::filesystem;

/// The share of a call's time that a table is hoped to save before anything is measured: a call is
/// measured if this is more than its first measurements take.
constexpr double kHopedSaving = 0.2;
constexpr double kSweepShare = 0.7;  ///< of the budget; verification has the rest
constexpr int kTrialLaunches = 5;
constexpr int kLeastSamples = 3;  ///< of a case in a launch, where calls are long

/// The library's machine that was measured last.
struct LastMachine {
  std::optional<results::MachineId> id{};
  Held held{};
  LibraryCapabilities capabilities{};  ///< before any job all that the library may have
};
LastMachine last_machine(const fs::path& database, const std::string& library) {
  LastMachine last{.capabilities = libraries::known_capabilities(library)};
  if (!fs::exists(database) || fs::file_size(database) == 0) return last;
  const results::Store store{database, results::Store::Access::read};
  const auto last_launch = [](const Held& held) {
    const auto latest = std::ranges::max_element(held.launches, {}, &results::StoredLaunch::id);
    return latest == held.launches.end() ? results::LaunchId{} : latest->id;
  };
  for (const auto& [id, machine] : store.machines()) {
    if (machine.name != library) continue;
    Held of_machine = held(store, id);
    if (!last.id || last_launch(of_machine) > last_launch(last.held))
      last = {id, std::move(of_machine), store.capabilities(id)};
  }
  return last;
}

/// The number of launches in which each case of a plan was measured, of the rarest one.
int least_launches(const plan::SweepPlan& plan, std::span<const Measurement> measurements) {
  std::map<Case, int> launches;
  for (const plan::PlannedLaunch& launch : plan.launches) {
    for (const Case& each : launch.cases) launches[each] = 0;
  }
  for (const Measurement& each : measurements) ++launches[each.what];
  return std::ranges::min(launches | std::views::values);
}

/// One job's tuning.
class Tuning {
 public:
  Tuning(const JobTuning& asked, Listener& listener)
      : asked_{asked}, listener_{listener}, last_{last_machine(asked.database, asked.library)} {
    for (auto& [use, amount] : profile_.uses) amount.seconds *= asked.repeats;
    choose_calls();
  }

  [[nodiscard]] std::string measure();
  [[nodiscard]] std::string make_tables();
  [[nodiscard]] std::string prove();

 private:
  void choose_calls();
  [[nodiscard]] plan::Sweep sweep_of(const std::set<Called>& calls) const;
  [[nodiscard]] plan::SweepPlan plan_of(const plan::Sweep& sweep) const {
    return plan::make_plan(sweep, MachineKind::library, last_.capabilities);
  }
  [[nodiscard]] plan::Cost least_cost(const plan::Sweep& sweep) const;
  [[nodiscard]] bool pays() const;
  [[nodiscard]] SweepRequest request(double share) const;
  [[nodiscard]] verify::TriedTable tried_table() const;
  [[nodiscard]] std::string try_out(const plan::SweepPlan& plan);
  [[nodiscard]] std::vector<Measurement> tried(const verify::TriedTable& table);
  [[nodiscard]] Seconds left() const { return {asked_.budget.value - since(asked_.since).value}; }
  [[nodiscard]] fs::path trial() const { return asked_.folder / ".trial.db"; }
  [[nodiscard]] fs::path made_of() const { return asked_.folder / ".made_of"; }

  const JobTuning& asked_;
  Listener& listener_;
  LastMachine last_;
  tables::Profile profile_ = asked_.profile;
  plan::Sweep sweep_{};
  std::set<Case> problems_{};  // of the sweep
};

/// With fewer samples of long calls: launches tell more. The first calls of each turn are slow, so
/// short ones need many. Three launches of all candidates are to fit into the budget.
plan::Sweep Tuning::sweep_of(const std::set<Called>& calls) const {
  plan::Sweep sweep = program_sweep(profile_, asked_.library, &calls);
  double longest_s = 0;
  for (const auto& [use, amount] : asked_.profile.uses) {
    if (amount.calls > 0)
      longest_s = std::max(longest_s, amount.seconds / static_cast<double>(amount.calls));
  }
  protocol::MeasurePlan& measure = sweep.measure;
  const double fit = std::max<double>(kLeastSamples, measure.min_time.value / longest_s);
  measure.min_repetitions = static_cast<int>(std::min<double>(measure.min_repetitions, fit));
  measure.batch = static_cast<int>(std::min<double>(measure.batch, fit));
  std::size_t cases = 0;
  for (const plan::PlannedLaunch& launch : plan_of(sweep).launches)
    cases += launch.repeat == 0 ? launch.cases.size() : 0;
  const double share_s = kSweepShare * left().value / stats::kLeastLaunches;
  measure.case_budget = {std::clamp(share_s / static_cast<double>(std::max<std::size_t>(cases, 1)),
                                    measure.min_time.value, measure.case_budget.value)};
  return sweep;
}

/// The least cost of a sweep after which each candidate could be chosen.
plan::Cost Tuning::least_cost(const plan::Sweep& sweep) const {
  const Outlook outlook{sweep, plan_of(sweep), {}, last_.held, plan::Forecast{sweep.measure}};
  std::map<Case, int> measured;
  for (const Measurement& each : last_.held.measurements) ++measured[each.what];
  std::map<Case, int> open = outlook.agenda.launches();
  for (auto& [what, launches] : open)
    launches = std::min(launches, std::max(0, stats::kLeastLaunches - measured[what]));
  return outlook.forecast.of(outlook.forecast.loads(open));
}

/// Those with most time, as far as the budget allows and as are hoped to pay.
void Tuning::choose_calls() {
  const plan::Sweep all = program_sweep(profile_, asked_.library);
  std::vector<std::pair<Called, Seconds>> longest{all.program_time.begin(), all.program_time.end()};
  std::ranges::stable_sort(longest, std::greater{}, [](const auto& each) { return each.second; });
  std::set<Called> chosen;
  std::set<NodeLayout> jobs;
  double takes_s = 0;
  for (const auto& [called, time] : longest) {
    if (called.form != CallForm::blocking) continue;
    const std::set one{called};
    const plan::Cost cost = least_cost(sweep_of(one));
    // The launches of one call serve all others in the same job.
    const NodeLayout job = job_of(called.layout);
    const double more_s = cost.time.value - (jobs.contains(job) ? cost.starts.value : 0);
    if (takes_s + more_s > kSweepShare * left().value || more_s > kHopedSaving * time.value)
      continue;
    takes_s += more_s;
    chosen.insert(called);
    jobs.insert(job);
  }
  if (chosen.empty())
    throw Error("to measure any blocking call would take longer than a table is expected to save");
  sweep_ = sweep_of(chosen);
  for (const plan::PlannedLaunch& launch : plan_of(sweep_).launches) {
    for (const Case& each : launch.cases) problems_.insert(without_algorithm(each));
  }
}

/// @param share  the part of the budget after which it stops
SweepRequest Tuning::request(double share) const {
  constexpr double kPatience = 60;
  return {.sweep = sweep_,
          .database = asked_.database,
          .launcher = asked_.launcher,
          .patience = {std::clamp(left().value, 1.0, kPatience)},
          .budget = {share * asked_.budget.value},
          .since = asked_.since,
          .doctor = false};
}

/// Whether another launch is expected to pay, in the time that is left.
bool Tuning::pays() const {
  const Outlook outlook{sweep_, plan_of(sweep_), {}, last_.held, plan::Forecast{sweep_.measure}};
  const auto next = outlook.agenda.next(outlook.forecast, true);
  return next && outlook.forecast.start(next->layout).value < kSweepShare * left().value;
}

std::string Tuning::measure() {
  if (!pays()) return "no launch is expected to pay within the budget";
  SweepRequest request = this->request(kSweepShare);
  request.text = plan::to_toml(sweep_);
  request.pays = true;
  fs::create_directories(asked_.database.parent_path());
  const SweepSummary done = run_sweep(request, listener_);
  last_ = last_machine(asked_.database, asked_.library);
  const std::size_t calls = sweep_.program_time.size();
  return fmt::format("{} call{}: {} measured, {} failed, {} stored before. {}", calls,
                     calls == 1 ? "" : "s", done.measured, done.failed, done.stored_before,
                     done.over ? *done.over : done.ended);
}

std::string Tuning::make_tables() {
  if (!last_.id) throw Error("nothing is measured yet");
  std::vector<Measurement> measurements = last_.held.measurements;
  std::erase_if(measurements, [&](const Measurement& each) {
    return !problems_.contains(without_algorithm(each.what));
  });
  const std::string now =
      fmt::format("{} measurements of {} problems, the last of launch {}\n", measurements.size(),
                  problems_.size(), measurements.empty() ? 0 : measurements.back().launch);
  if (fs::exists(table_in(asked_.folder)) && fs::exists(made_of()) && read_file(made_of()) == now) {
    return "stay as they are";
  }
  tuner::TunedTables tables{measurements,
                            {.datatype = sweep_.datatype,
                             .op = sweep_.op,
                             .program_time = tables::program_time(profile_)}};
  tables.make_all();
  const results::Store store{asked_.database, results::Store::Access::read};
  const std::string again = to_text(launch::ChildProcess::Command{
      .arguments = {"breakeven", "tune", "--db", asked_.database, "--machine", asked_.library,
                    "--profile", asked_.file, "--out", asked_.folder}});
  const tables::Provenance provenance =
      provenance_of(store, *last_.id, asked_.database, again, measurements, {});
  const std::vector<tuner::TableFile> files = tuner::table_files({}, tables, provenance);
  distrust(asked_.folder);
  fs::remove(trial());
  static_cast<void>(verify::write_tables(asked_.folder,
                                         tuner::readable_text(tables, files, provenance, ""), files,
                                         false, provenance, tables.widest()));
  write_file(made_of(), now);
  return fmt::format("made anew: {}", (asked_.folder / tuner::kReadableName).string());
}

/// The table for programs, with the program's calls to be tried on.
verify::TriedTable Tuning::tried_table() const {
  ProgramTables tables = read_program_tables(asked_.folder);
  verify::TriedTable tried{.files = {{&formats::find_emitter("json"), tables.file}}};
  for (const Case& problem : problems_) {
    const Variant choice =
        tables::choice_of(tables.all.table, tables.library ? &*tables.library : nullptr, problem);
    tried.problems.push_back({problem, choice, with_variant(problem, choice)});
  }
  tried.kept = std::move(tables.all);
  return tried;
}

/// Adds launches to the table's trial, which several jobs may make.
/// @return why it ended
/// @throws Error where a choice fails
std::string Tuning::try_out(const plan::SweepPlan& plan) {
  plan::Forecast forecast{sweep_.measure};
  learn(forecast, last_.held);
  const plan::PlannedLaunch& one = plan.launches.front();
  const double start_s = forecast.start(one.layout).value;
  if (left().value < start_s) return "The budget is spent.";
  SweepRequest request = this->request(1);
  request.database = trial();
  request.retry_failed = true;
  protocol::MeasurePlan& measure = request.sweep.measure;
  // A start more shows that the job starts at all.
  const double launch_s =
      (left().value - start_s) / static_cast<double>(plan.launches.size()) - start_s;
  measure.racing = false;
  measure.case_budget = {std::clamp(launch_s / static_cast<double>(one.cases.size()),
                                    measure.min_time.value, measure.case_budget.value)};
  const SweepSummary done = run_fixed(request, plan, listener_);
  const results::Store store{trial(), results::Store::Access::read};
  if (const auto failures = store.failures(done.machine); !failures.empty() && done.failed > 0) {
    throw Error(
        fmt::format("{} failed: {}", to_text(failures.front().what), failures.front().reason));
  }
  return done.over.value_or(done.ended);
}

/// The measurements of the table's trial: of kTrialLaunches launches, or of as many as the budget
/// allows.
/// @throws Error where these are fewer than kLeastLaunches
std::vector<Measurement> Tuning::tried(const verify::TriedTable& table) {
  const plan::SweepPlan plan =
      plan_of_trial(table.problems, {.launches = kTrialLaunches}, table.beside_default);
  if (plan.launches.empty()) return {};
  const std::string ended = try_out(plan);
  std::vector<Measurement> measurements = last_machine(trial(), asked_.library).held.measurements;
  if (least_launches(plan, measurements) < stats::kLeastLaunches)
    throw Error(fmt::format("not finished: {} The next job goes on", ended));
  return measurements;
}

std::string Tuning::prove() {
  if (is_trusted(asked_.folder)) return "verified before";
  if (is_refuted(asked_.folder))
    return "not again: with these tables the calls of an earlier job took longer";
  const verify::TriedTable table = tried_table();
  const verify::Verification found = verify::verify_table(tried(table), table.problems);
  const fs::path database = verify::new_verification(asked_.folder);
  const std::vector<std::string> back =
      verify::write_where_verified({table}, {found}, verify::trial_text(database));
  if (fs::exists(trial())) fs::rename(trial(), database);
  write_file(verify::verification_file(database),
             verify::verification_csv({{table.name(), found}}));
  trust(asked_.folder);
  if (!found.speedup_of_changed) return "the tables keep the default for all of these calls";
  const stats::Estimate& speedup = *found.speedup_of_changed;
  return fmt::format("{:.3g} ({:.3g} to {:.3g}) times as fast as the default{}", speedup.median,
                     speedup.low, speedup.high,
                     back.empty() ? "" : fmt::format("; taken back: {}", back.size()));
}

}  // namespace

std::vector<TuningStep> tune_in_job(const JobTuning& tuning, Listener& listener) {
  std::vector<TuningStep> steps;
  std::optional<Tuning> job;
  bool goes_on = true;
  const auto step = [&](const std::string& name, const std::function<std::string()>& work) {
    if (!goes_on || launch::over_by_signal()) return;
    const Clock::time_point begin = Clock::now();
    TuningStep& done = steps.emplace_back(TuningStep{.name = name});
    try {
      done.outcome = work();
    } catch (const std::exception& error) {
      done.outcome = error.what();
      goes_on = false;
    }
    done.took = since(begin);
  };
  step("sweep", [&] {
    job.emplace(tuning, listener);
    return job->measure();
  });
  step("tables", [&] { return job->make_tables(); });
  step("verification", [&] { return job->prove(); });
  return steps;
}

}  // namespace breakeven::session
