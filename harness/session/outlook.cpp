// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/outlook.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "core/version.hpp"
#include "harness/plan/model.hpp"
#include "harness/plan/predictor.hpp"
#include "harness/plan/settings.hpp"
#include "tuner/tuned_tables.hpp"

namespace breakeven::session {

Held held(const results::Store& store, results::MachineId machine) {
  return {.failures = store.failures(machine),
          .measurements = store.measurements(machine),
          .launches = store.launches(machine)};
}

void learn(plan::Forecast& forecast, const Held& held) {
  struct Measured {
    double rough = 0;
    Seconds ended{};
  };
  std::map<std::int64_t, Measured> launches;
  for (const results::StoredLaunch& each : held.launches) {
    if (each.cores > 0) forecast.learn_cores(each.cores);
  }
  for (const Measurement& each : held.measurements) {
    if (!each.ended) continue;
    Measured& launch = launches[each.launch];
    launch.rough += forecast.rough({&each.what, 1});
    launch.ended = std::max(launch.ended, *each.ended);
  }
  for (const results::StoredLaunch& each : held.launches) {
    const auto found = launches.find(static_cast<std::int64_t>(each.id));
    if (!each.start || found == launches.end()) continue;
    const Measured& launch = found->second;
    const NodeLayout& layout = each.launch.layout;
    forecast.add_start(layout, *each.start);
    forecast.add(layout.procs, launch.rough, launch.ended);
    if (each.lasted) forecast.add_end(layout.procs, {each.lasted->value - launch.ended.value});
  }
}

Outlook::Outlook(const plan::Sweep& sweep, plan::SweepPlan asked, Predictions predictions,
                 const Held& held, plan::Forecast known)
    : plan{std::move(asked)},
      forecast{std::move(known)},
      agenda{sweep, plan, std::move(predictions)} {
  learn(forecast, held);
  agenda.update(held.failures, held.measurements);
}

std::vector<plan::Sweep> sweeps_of(const results::Store& store, results::MachineId id) {
  std::vector<plan::Sweep> sweeps;
  for (const std::string& toml : store.sweeps(id)) {
    sweeps.push_back(plan::parse_sweep(toml, "stored sweep"));
  }
  return sweeps;
}

Remaining remaining_of(const results::Store& store, results::MachineId id, const Machine& machine,
                       const Held& held) {
  Remaining remaining;
  for (const plan::Sweep& sweep : sweeps_of(store, id)) {
    const Outlook outlook{sweep, plan::make_plan(sweep, machine.kind, store.capabilities(id)),
                          store.predictions(id, sweep.prune_by), held,
                          plan::Forecast{sweep.measure}};
    const std::map<Case, int> open = outlook.agenda.launches();
    for (const auto& [what, of_case] : open) {
      int& launches = remaining.launches[what];
      launches = std::max(launches, of_case);
    }
    if (std::string text = outlook.agenda.pruning().text(); !text.empty())
      remaining.pruned.push_back(std::move(text));
    remaining.refinement_to_come |= sweep.refine && !open.empty();
    remaining.guessed = !outlook.forecast.has_measured();
    remaining.cost = outlook.forecast.of(outlook.forecast.loads(remaining.launches));
  }
  return remaining;
}

LeftOut left_out_of(const results::Store& store, results::MachineId id, const Machine& machine) {
  LeftOut left_out;
  std::optional<Held> read;
  for (const plan::Sweep& sweep : sweeps_of(store, id)) {
    plan::SweepPlan plan = plan::make_plan(sweep, machine.kind, store.capabilities(id));
    left_out.skipped.insert(plan.skipped.begin(), plan.skipped.end());
    if (sweep.prune_by.empty()) continue;
    if (!read) read = held(store, id);
    const Outlook outlook{sweep, std::move(plan), store.predictions(id, sweep.prune_by), *read,
                          plan::Forecast{sweep.measure}};
    const auto& pruned = outlook.agenda.pruning().pruned;
    left_out.pruned.insert(pruned.begin(), pruned.end());
  }
  return left_out;
}

Predictions missing_predictions(const plan::Sweep& sweep, const plan::SweepPlan& plan,
                                const Predictions& known) {
  Predictions missing;
  if (sweep.prune_by.empty()) return missing;
  plan::Predictor predictor{plan::parse_exact_model(sweep.prune_by)};
  for (const plan::PlannedLaunch& launch : plan.launches) {
    if (launch.repeat > 0) continue;
    for (const Case& each : launch.cases) {
      if (known.contains(each)) continue;
      if (const auto prediction = predictor.predict(each)) missing.emplace(each, *prediction);
    }
  }
  return missing;
}

tuner::Agreements agreements_of(const std::string& model, const results::Store& store,
                                results::MachineId id, std::span<const Measurement> measurements) {
  const std::string text = plan::content_of(model);
  plan::Predictor predictor{plan::parse_exact_model(text)};
  Predictions predictions = store.predictions(id, text);
  for (const Measurement& each : measurements) {
    if (predictions.contains(each.what)) continue;
    if (const auto prediction = predictor.predict(each.what))
      predictions.emplace(each.what, *prediction);
  }
  tuner::Agreements found = tuner::agreements(predictions, tuner::contests_of(measurements));
  if (!found.cases.empty()) return found;
  throw UsageError(
      fmt::format("'{}' predicts none of the measurements on {}: they are of no algorithm of ours, "
                  "nor of one that the library has, too",
                  model, store.machines().at(id).name));
}

tables::Provenance provenance_of(const results::Store& store, results::MachineId id,
                                 const std::string& database, const std::string& command,
                                 std::span<const Measurement> measurements,
                                 const libraries::AlgorithmNames& allowed) {
  return {.database = std::filesystem::path{database}.filename(),
          .machine = store.machines().at(id),
          .capabilities = store.capabilities(id),
          .date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))),
          .version = fmt::format("{} ({})", kVersion, kGitCommit),
          .command = command,
          .allowed_unsafe = allowed,
          .skipped = tuner::unsafe_lines(measurements, allowed)};
}

std::string left_out_line(const plan::Sweep& sweep) {
  if (sweep.collectives != plan::Sweep{}.collectives) return "";
  std::vector<std::string_view> others;
  for (const auto& each : kCollectives.entries) {
    if (std::ranges::find(sweep.collectives, each.value) == sweep.collectives.end())
      others.push_back(each.name);
  }
  return fmt::format("collectives not measured: {} (--collectives all measures them, too)",
                     fmt::join(others, ", "));
}

namespace {

/// "allreduce at p = 2, problems: 18, candidates: 23"
std::vector<std::string> problem_lines(const plan::SweepPlan& plan) {
  std::map<std::string, std::pair<std::set<Case>, std::set<std::string>>> counts;
  for (const plan::PlannedLaunch& launch : plan.launches) {
    for (const Case& what : launch.cases) {
      auto& [problems, candidates] = counts[fmt::format(
          "{} at {}", kCollectives.of(what.collective), procs_text(layout_of(what)))];
      problems.insert(without_algorithm(what));
      candidates.insert(to_text(what.variant));
    }
  }
  std::vector<std::string> lines;
  for (const auto& [name, of_name] : counts) {
    lines.push_back(fmt::format("{}, problems: {}, candidates: {}", name, of_name.first.size(),
                                of_name.second.size()));
  }
  return lines;
}

/// "more processes than the 2 cores of a node, where times say little: p = 4, 8"; empty: none.
std::string turns_line(const plan::SweepPlan& plan, double cores) {
  std::set<int> procs;
  for (const plan::PlannedLaunch& launch : plan.launches) {
    if (launch.layout.procs_per_node > cores) procs.insert(launch.layout.procs);
  }
  if (procs.empty()) return "";
  return fmt::format("more processes than the {} core{} of a node, where times say little: p = {}",
                     cores, cores == 1 ? "" : "s", fmt::join(procs, ", "));
}

}  // namespace

std::vector<std::string> plan_lines(const plan::Sweep& sweep, const Outlook& outlook,
                                    Seconds budget, bool whole) {
  std::vector<std::string> lines;
  if (whole) lines = problem_lines(outlook.plan);
  std::ranges::move(plan::skipped_lines(outlook.plan.skipped), std::back_inserter(lines));
  if (std::string left_out = left_out_line(sweep); !left_out.empty())
    lines.push_back(std::move(left_out));
  if (std::string turns = whole ? turns_line(outlook.plan, outlook.forecast.cores()) : "";
      !turns.empty())
    lines.push_back(std::move(turns));
  if (sweep.refine) lines.emplace_back(kRefinementToCome);
  if (sim::is_model(sweep.machine)) return lines;
  const std::map<Case, int> launches = outlook.agenda.launches();
  const plan::Loads loads = outlook.forecast.loads(launches);
  const plan::Cost all = outlook.forecast.of(loads);
  lines.push_back(fmt::format("planned: {} cases; probably {}{}", launches.size(), to_text(all),
                              outlook.forecast.has_measured() ? "" : kGuess));
  if (all.time > budget) {
    const plan::Cost allowed = outlook.forecast.of(loads, budget);
    lines.push_back(allowed.launches == 0
                        ? "the budget is probably too short for a launch of one problem"
                        : fmt::format("in the budget: probably {}; the same command continues",
                                      to_text(allowed)));
  }
  if (whole) {
    lines.push_back(
        fmt::format("upper limit: {}, if every case took all --launches and its --case-budget-s",
                    to_text(outlook.forecast.most(outlook.plan))));
  }
  return lines;
}

}  // namespace breakeven::session
