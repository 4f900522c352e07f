// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/library_launch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.hpp"
#include "core/version.hpp"
#include "harness/launch/launcher.hpp"
#include "harness/session/library_settings.hpp"

namespace breakeven::session {

namespace {

std::size_t index(int id) { return static_cast<std::size_t>(id); }

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
    const std::size_t before = planned_.cases.size();
    const std::string outcome = start();
    if (planned_.cases.size() < before || session_.over()) continue;
    throw Error(fmt::format("the launch at p = {} got nowhere: {} ({})", planned_.layout.procs,
                            outcome, record_.command));
  }
}

/// One start of the job. Takes the cases that it finished out of the plan.
std::string LibraryLaunch::start() {
  const std::vector<Case>& cases = planned_.cases;
  std::vector<bool> finished(cases.size(), false);
  std::optional<results::LaunchId> launch;
  const protocol::Match follow{
      [&](const protocol::JobInfo& job_info) {
        launch::check_placement(job_info, planned_.layout);
        require_settings(job_info.settings, settings_, library_, command_);
        launch = begin(job_info);
      },
      [&](const protocol::Calibrated& calibrated) {
        session_.store().add(launch.value(), calibrated.times);
      },
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
  bool calibrates = library_ != launch::smpi.library;  // a simulation has no machine that drifts
  const auto next = [&]() -> std::optional<protocol::WorkerRequest> {
    if (problem == problems.end() || session_.over()) return std::nullopt;
    if (std::exchange(calibrates, false)) return protocol::CalibrateRequest{};
    return request_of(*problem++);
  };
  const launch::JobEnd end = launch::run_job(
      command_, session_.request().patience, next,
      [&](const protocol::WorkerEvent& event) { std::visit(follow, event); },
      [&] { return session_.over(); });
  if (end.culprit && !finished.at(index(*end.culprit))) {
    session_.add_failure(launch.value(), cases.at(index(*end.culprit)), end.outcome);
    finished.at(index(*end.culprit)) = true;
  }
  const bool cut_short = end.complete() && problem != problems.end();
  const std::string outcome = cut_short ? session_.over().value_or(end.outcome) : end.outcome;
  if (launch) session_.store().end(*launch, outcome);
  std::size_t each = 0;
  std::erase_if(planned_.cases, [&](const Case&) { return finished[each++]; });
  return outcome;
}

protocol::MeasureRequest LibraryLaunch::request_of(plan::CandidateRange problem) const {
  const auto first = planned_.cases.begin() + problem.first;
  return {.seed = planned_.seed,
          .measure = session_.request().sweep.measure,
          .first_id = problem.first,
          .cases = {first, first + problem.count}};
}

results::LaunchId LibraryLaunch::begin(const protocol::JobInfo& job_info) {
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
  environment["settings"] = to_text(with_origins(job_info.settings, library_, command_));
  record_.environment = environment.dump();
  record_.placement = nlohmann::json(job_info.hosts).dump();
  return session_.begin(record_);
}

}  // namespace breakeven::session
