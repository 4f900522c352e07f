// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/library_launch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.hpp"
#include "core/version.hpp"
#include "harness/launch/launcher.hpp"
#include "harness/session/library_settings.hpp"

namespace breakeven::session {

namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kStartKey = "start_s";  // of a launch's environment

std::size_t index(int id) { return static_cast<std::size_t>(id); }

Seconds since(Clock::time_point begin) {
  return {std::chrono::duration<double>(Clock::now() - begin).count()};
}

}  // namespace

Launch launch_record(const plan::PlannedLaunch& planned, const protocol::MeasurePlan& plan) {
  return {.layout = planned.layout,
          .repeat = planned.repeat,
          .seed = planned.seed,
          .command = {},
          .placement = "[]",
          .environment = own_environment(),
          .oversubscribed = false,
          .sync = plan.sync,
          .clock_sync = plan.clock_sync,
          .timer = plan.timer,
          .run_time = plan.run_time,
          .outliers_dropped = plan.drop_outliers};
}

std::string own_environment() {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  return nlohmann::json{
      {"host", host.data()}, {"breakeven_version", kVersion}, {"breakeven_commit", kGitCommit}}
      .dump();
}

LibraryLaunch::LibraryLaunch(Session& session, const launch::Library& library,
                             const protocol::JobInfo& host, plan::PlannedLaunch planned)
    : session_{session},
      planned_{std::move(planned)},
      library_{library.launcher->library},
      settings_{host.settings},
      record_{launch_record(planned_, session.request().sweep.measure)} {
  record_.oversubscribed = launch::oversubscribed(host, planned_.layout.procs_per_node);
  command_ = launch::job_command(library, {planned_.layout, record_.oversubscribed});
  record_.command = launch::to_text(command_);
}

void LibraryLaunch::run() {
  while (!planned_.cases.empty() && !session_.over()) {
    const Seconds start_s = session_.forecast().start(planned_.layout);
    const auto problems = plan::problems_of(planned_.cases);
    if (next_in_time(problems.begin(), problems.end(), start_s) == problems.end()) return;
    const std::size_t before = planned_.cases.size();
    const std::string outcome = start();
    if (planned_.cases.size() < before || session_.over()) continue;
    throw Error(fmt::format("the launch at p = {} got nowhere: {} ({})", planned_.layout.procs,
                            outcome, record_.command));
  }
}

/// The first problem that probably ends within the budget; the session ends where only longer ones
/// are left.
LibraryLaunch::Problem LibraryLaunch::next_in_time(Problem from, Problem end,
                                                   Seconds before) const {
  const Seconds left = session_.left();
  Seconds least{std::numeric_limits<double>::infinity()};
  for (Problem each = from; each != end; ++each) {
    const Seconds takes = before + session_.forecast().measuring(cases_of(*each));
    if (takes <= left) return each;
    least = std::min(least, takes);
  }
  if (from != end) session_.end_before(least);
  return end;
}

std::span<const Case> LibraryLaunch::cases_of(plan::CandidateRange problem) const {
  return std::span{planned_.cases}.subspan(static_cast<std::size_t>(problem.first),
                                           static_cast<std::size_t>(problem.count));
}

/// One start of the job. Takes the cases that it finished out of the plan.
std::string LibraryLaunch::start() {
  const auto began = Clock::now();
  const std::vector<Case>& cases = planned_.cases;
  std::vector<bool> finished(cases.size(), false);
  std::optional<protocol::JobInfo> job_info;
  Calibration calibration;
  std::optional<results::LaunchId> launch;  // once it measures
  const protocol::Match follow{
      [&](const protocol::JobInfo& found) {
        launch::check_placement(found, planned_.layout);
        require_settings(found.settings, settings_, library_, command_);
        job_info = found;
      },
      [&](const protocol::Calibrated& calibrated) { calibration = calibrated.times; },
      [&](const protocol::CaseBegin& begin) {
        session_.listener().at(to_text(cases.at(index(begin.id))));
      },
      [&](const protocol::CaseDone& done) {
        session_.add(launch.value(), cases.at(index(done.id)), done.result);
        finished.at(index(done.id)) = true;
      },
      [&](const protocol::CaseFailed& failed) {
        session_.add_failure(launch.value(), cases.at(index(failed.id)), failed.reason);
        finished.at(index(failed.id)) = true;
      },
      [](const auto&) {}};
  const std::vector<plan::CandidateRange> problems = plan::problems_of(cases);
  auto problem = problems.begin();
  auto asked = problems.end();
  Clock::time_point asked_at;
  bool calibrates = library_ != launch::smpi.library;  // a simulation has no machine that drifts
  const auto next = [&]() -> std::optional<protocol::WorkerRequest> {
    if (asked != problems.end()) {
      session_.done(cases_of(*asked), since(asked_at));
      asked = problems.end();
      asked_at = Clock::now();
    }
    if (problem == problems.end() || session_.over()) return std::nullopt;
    if (std::exchange(calibrates, false)) return protocol::CalibrateRequest{};
    asked = next_in_time(problem, problems.end(), {});
    if (asked == problems.end()) return std::nullopt;
    if (!launch) {
      launch = begin(job_info.value(), since(began));
      session_.store().add(*launch, calibration);
    }
    problem = std::next(asked);
    asked_at = Clock::now();
    return request_of(*asked);
  };
  const launch::JobEnd end = launch::run_job(
      command_, session_.request().patience, next,
      [&](const protocol::WorkerEvent& event) { std::visit(follow, event); },
      [&] { return session_.over(); }, session_.forecast().start(planned_.layout));
  if (end.culprit && !finished.at(index(*end.culprit))) {
    session_.add_failure(launch.value(), cases.at(index(*end.culprit)), end.outcome);
    finished.at(index(*end.culprit)) = true;
  }
  std::string outcome = end.outcome;
  if (end.complete() && !std::ranges::all_of(finished, std::identity{})) {
    const auto over = session_.over();
    outcome = over ? over->why : session_.spent();  // a problem too long for the budget is left out
  }
  if (launch) {
    session_.store().end(*launch, outcome);
    if (outcome == "complete") session_.forecast().add_end(planned_.layout.procs, since(asked_at));
  }
  std::size_t each = 0;
  std::erase_if(planned_.cases, [&](const Case&) { return finished[each++]; });
  return outcome;
}

protocol::MeasureRequest LibraryLaunch::request_of(plan::CandidateRange problem) const {
  const std::span<const Case> cases = cases_of(problem);
  return {.seed = planned_.seed,
          .measure = session_.request().sweep.measure,
          .first_id = problem.first,
          .cases = {cases.begin(), cases.end()}};
}

results::LaunchId LibraryLaunch::begin(const protocol::JobInfo& job_info, Seconds start) {
  session_.started(planned_.layout, start);
  nlohmann::json environment = nlohmann::json::parse(own_environment());
  environment["library_version"] = job_info.library_version;
  environment["cpu"] = job_info.cpu;
  environment["cores"] = job_info.cores;
  environment["kernel"] = job_info.kernel;
  environment["node_of_rank"] = job_info.nodes;
  environment["package_of_rank"] = job_info.packages;
  environment["numa_of_rank"] = job_info.numa;
  environment["nodes_on_kernel"] = job_info.nodes_on_kernel;
  environment["governor"] = job_info.governor;
  environment[kStartKey] = start.value;
  environment["settings"] = to_text(with_origins(job_info.settings, library_, command_));
  record_.environment = environment.dump();
  record_.placement = nlohmann::json(job_info.hosts).dump();
  return session_.begin(record_);
}

}  // namespace breakeven::session
