// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/job_tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "core/files.hpp"
#include "harness/plan/settings.hpp"
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
constexpr int kLeastSamples = 3;  ///< of a case in a launch: launches tell more than samples

/// The content of a database about the library's last machine.
Held held_of(const fs::path& database, const std::string& library) {
  Held found;
  if (!fs::exists(database)) return found;
  const results::Store store{database, results::Store::Access::read};
  for (const auto& [id, machine] : store.machines()) {
    if (machine.name == library) found = held(store, id);
  }
  return found;
}

/// The time until each candidate of a sweep could be chosen.
Seconds least_time(const plan::Sweep& sweep, const Held& held) {
  const Outlook outlook{
      sweep,
      plan::make_plan(sweep, MachineKind::library, libraries::known_capabilities(sweep.machine)),
      {},
      held,
      plan::Forecast{sweep.measure}};
  std::map<Case, int> open = outlook.agenda.launches();
  for (auto& [what, launches] : open) launches = std::min(launches, stats::kLeastLaunches);
  return outlook.forecast.of(outlook.forecast.loads(open)).time;
}

/// One job's tuning.
class Tuning {
 public:
  Tuning(const JobTuning& asked, Listener& listener)
      : asked_{asked},
        listener_{listener},
        database_{tuning_file(asked.folder, "results.db")},
        held_{held_of(database_, asked.library)} {
    for (auto& [use, amount] : profile_.uses) amount.seconds *= asked.repeats;
    sweep_ = worthwhile();
  }

  [[nodiscard]] bool anything() const { return !sweep_.program_time.empty(); }
  [[nodiscard]] std::string measure();
  [[nodiscard]] std::string make_tables();
  [[nodiscard]] std::string prove();

 private:
  [[nodiscard]] plan::Sweep worthwhile() const;
  [[nodiscard]] SweepRequest request(double share) const;
  [[nodiscard]] bool must_make_tables(const Machine& machine) const;
  [[nodiscard]] std::vector<Measurement> measurements(const results::Store& store) const;
  [[nodiscard]] verify::TriedTable tried_table() const;
  [[nodiscard]] fs::path trial_database() const;
  [[nodiscard]] Seconds left() const { return {asked_.budget.value - since(asked_.since).value}; }

  const JobTuning& asked_;
  Listener& listener_;
  fs::path database_;
  Held held_;
  tables::Profile profile_ = asked_.profile;
  plan::Sweep sweep_{};
  SweepSummary measured_{};
};

/// The calls with most time, as many as the budget allows and as are hoped to pay.
plan::Sweep Tuning::worthwhile() const {
  plan::Sweep found;
  Seconds takes{};
  for (std::size_t calls = 1;; ++calls) {
    plan::Sweep more = program_sweep(profile_, asked_.library, calls);
    if (more.program_time.size() < calls) return found;
    more.measure.min_repetitions = more.measure.batch = kLeastSamples;
    const Seconds all = least_time(more, held_);
    const double time_s = total(more.program_time).value - total(found.program_time).value;
    const bool in_budget = all.value <= kSweepShare * asked_.budget.value;
    if (!in_budget || all.value - takes.value > kHopedSaving * time_s) return found;
    takes = all;
    found = std::move(more);
  }
}

/// @param share  of the budget that is spent at its end
SweepRequest Tuning::request(double share) const {
  return {.sweep = sweep_,
          .launcher = asked_.launcher,
          .budget = {share * asked_.budget.value},
          .since = asked_.since,
          .doctor = false};
}

std::string Tuning::measure() {
  SweepRequest request = this->request(kSweepShare);
  request.text = plan::to_toml(sweep_);
  request.database = database_;
  request.pays = true;
  fs::create_directories(database_.parent_path());
  measured_ = run_sweep(request, listener_);
  const std::string why = measured_.over ? *measured_.over : measured_.ended;
  const std::size_t calls = sweep_.program_time.size();
  return fmt::format("{} call{}: {} measured, {} failed, {} stored before. {}", calls,
                     calls == 1 ? "" : "s", measured_.measured, measured_.failed,
                     measured_.stored_before, why);
}

bool Tuning::must_make_tables(const Machine& machine) const {
  if (measured_.measured > 0 || !fs::exists(asked_.folder / "table.json")) return true;
  return read_program_tables(asked_.folder).all.provenance.machine != machine;
}

/// Those of this job's layouts: a table's key is p, and one p may have been measured on several
/// numbers of nodes.
std::vector<Measurement> Tuning::measurements(const results::Store& store) const {
  std::vector<Measurement> found = store.measurements(measured_.machine);
  std::set<int> here;
  for (const Measurement& each : found) {
    if (each.what.nodes == sweep_.nodes) here.insert(each.what.procs);
  }
  std::erase_if(found, [&](const Measurement& each) {
    return each.what.nodes != sweep_.nodes && here.contains(each.what.procs);
  });
  return found;
}

std::string Tuning::make_tables() {
  const results::Store store{database_, results::Store::Access::read};
  if (!must_make_tables(store.machines().at(measured_.machine))) return "stay as they are";
  const std::vector<Measurement> measurements = this->measurements(store);
  tuner::TunedTables tables{measurements,
                            {.datatype = sweep_.datatype,
                             .op = sweep_.op,
                             .program_time = tables::program_time(profile_)}};
  tables.make_all();
  const std::string again =
      fmt::format("breakeven tune --db {} --profile {} --out {}", database_.string(),
                  asked_.file.string(), asked_.folder.string());
  const tables::Provenance provenance =
      provenance_of(store, measured_.machine, database_, again, measurements, {});
  const std::vector<tuner::TableFile> files = tuner::table_files({}, tables, provenance);
  static_cast<void>(verify::write_tables(asked_.folder,
                                         tuner::readable_text(tables, files, provenance, ""), files,
                                         false, provenance, tables.widest()));
  return fmt::format("made anew: {}", (asked_.folder / tuner::kReadableName).string());
}

/// The table for programs, with the program's calls to be tried on.
verify::TriedTable Tuning::tried_table() const {
  ProgramTables tables = read_program_tables(asked_.folder);
  verify::TriedTable tried{.files = {{&formats::find_emitter("json"), tables.file}}};
  const plan::SweepPlan plan =
      plan::make_plan(sweep_, MachineKind::library, libraries::known_capabilities(asked_.library));
  std::set<Case> problems;
  for (const plan::PlannedLaunch& launch : plan.launches) {
    for (const Case& each : launch.cases) problems.insert(without_algorithm(each));
  }
  for (const Case& problem : problems) {
    Variant choice = tables::chosen(tables.all.table, problem).variant;
    if (choice.is<Native>() && tables.library)
      choice = tables::chosen(*tables.library, problem).variant;
    tried.problems.push_back({problem, choice, with_variant(problem, choice)});
  }
  tried.kept = std::move(tables.all);
  return tried;
}

/// That of a trial of the same tables which a job could not finish; else a new one.
fs::path Tuning::trial_database() const {
  const std::vector<fs::path> all = verify::verifications(asked_.folder);
  const bool begun =
      !all.empty() && !fs::exists(verify::verification_file(all.back())) &&
      fs::last_write_time(all.back()) > fs::last_write_time(asked_.folder / "table.json");
  return begun ? all.back() : verify::new_verification(asked_.folder);
}

std::string Tuning::prove() {
  if (verify::is_verified(asked_.folder)) return "verified before";
  const verify::TriedTable table = tried_table();
  const plan::SweepPlan plan =
      plan_of_trial(table.problems, {.launches = kTrialLaunches}, table.beside_default);
  SweepRequest request = this->request(1);
  request.database = trial_database();
  std::vector<Measurement> measurements;
  if (!plan.launches.empty()) {
    plan::Forecast forecast{sweep_.measure};
    learn(forecast, held_of(database_, asked_.library));
    const plan::PlannedLaunch& one = plan.launches.front();
    const double share_s =
        left().value / static_cast<double>(plan.launches.size()) - forecast.start(one.layout).value;
    protocol::MeasurePlan& measure = request.sweep.measure;
    measure.racing = false;
    measure.case_budget = {std::clamp(share_s / static_cast<double>(one.cases.size()),
                                      measure.min_time.value, measure.case_budget.value)};
    const SweepSummary summary = run_fixed(request, plan, listener_);
    if (summary.over) return fmt::format("not finished: {} The next job goes on", *summary.over);
    measurements = measured_in(request.database);
  }
  const verify::Verification found = verify::verify_table(measurements, table.problems);
  const std::size_t back =
      verify::write_where_verified({table}, {found}, verify::trial_text(request.database)).size();
  write_file(verify::verification_file(request.database),
             verify::verification_csv({{table.name(), found}}));
  if (!found.speedup_of_changed) return "the default is best for all of these calls";
  const stats::Estimate& speedup = *found.speedup_of_changed;
  return fmt::format("{:.3g} ({:.3g} to {:.3g}) times as fast as the default{}", speedup.median,
                     speedup.low, speedup.high,
                     back == 0 ? "" : fmt::format("; {} rules went back to it", back));
}

}  // namespace

fs::path tuning_file(const fs::path& folder, const std::string& name) {
  return folder / "tuning" / name;
}

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
  step("sweep", [&]() -> std::string {
    job.emplace(tuning, listener);
    goes_on = job->anything();
    if (!goes_on) return "no call takes so much time that its measurement is hoped to pay";
    return job->measure();
  });
  step("tables", [&] { return job->make_tables(); });
  step("verification", [&] { return job->prove(); });
  return steps;
}

}  // namespace breakeven::session
