// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/library_launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.hpp"
#include "core/version.hpp"
#include "harness/doctor/host.hpp"
#include "harness/launch/launcher.hpp"
#include "harness/session/library_settings.hpp"

namespace breakeven::session {

namespace {

constexpr const char* kStartKey = "start_s";  // of a launch's environment
constexpr std::string_view kComplete = "complete";

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
  return nlohmann::json{{"host", doctor::host_name()},
                        {"breakeven_version", kVersion},
                        {"breakeven_commit", kGitCommit}}
      .dump();
}

LibraryLaunch::LibraryLaunch(Session& session, const launch::Library& library,
                             const protocol::JobInfo& host, plan::PlannedLaunch planned)
    : session_{session},
      planned_{std::move(planned)},
      library_{library.launcher->library},
      settings_{host.settings},
      record_{launch_record(planned_, session.request().sweep.measure)} {
  const launch::JobLayout layout = launch::place_on(host, planned_.layout);
  record_.oversubscribed = layout.oversubscribed;
  command_ = launch::job_command(library, layout);
  record_.command = launch::to_text(command_);
}

/// One start of the job: its events are stored, and its requests are the problems that fit into the
/// budget, one after another.
class LibraryLaunch::Start {
 public:
  explicit Start(LibraryLaunch& whole)
      : whole_{whole},
        session_{whole.session_},
        cases_{whole.planned_.cases},
        finished_(cases_.size(), false),
        calibrates_{whole.library_ != launch::smpi.library} {}  // no real machine, no drift

  /// Runs the job to its end, and takes the finished cases out of the plan.
  /// @return its outcome
  std::string run() {
    const launch::JobEnd end = launch::run_job(
        whole_.command_, session_.request().patience, [this] { return next_request(); },
        [this](const protocol::WorkerEvent& event) { hear(event); },
        [this] { return session_.over(); }, session_.forecast().start(whole_.planned_.layout));
    if (end.culprit && !finished_.at(index(*end.culprit))) fail(*end.culprit, end.outcome);
    const std::string outcome = outcome_of(end);
    if (launch_) {
      session_.store().end(*launch_, outcome);
      if (outcome == kComplete) {
        session_.forecast().add_end(whole_.planned_.layout.procs, since(asked_at_));
      }
    }
    std::size_t each = 0;
    std::erase_if(whole_.planned_.cases, [&](const Case&) { return finished_[each++]; });
    return outcome;
  }

 private:
  void hear(const protocol::WorkerEvent& event) {
    std::visit(
        protocol::Match{[&](const protocol::JobInfo& found) { check(found); },
                        [&](const protocol::Calibrated& found) { calibration_ = found.times; },
                        [&](const protocol::CaseBegin& begin) {
                          session_.listener().at(to_text(cases_.at(index(begin.id))));
                        },
                        [&](const protocol::CaseDone& done) {
                          session_.add(launch_.value(), cases_.at(index(done.id)), done.result);
                          finished_.at(index(done.id)) = true;
                        },
                        [&](const protocol::CaseFailed& failed) { fail(failed.id, failed.reason); },
                        [](const auto&) {}},
        event);
  }

  void check(const protocol::JobInfo& found) {
    launch::check_placement(found, whole_.planned_.layout);
    require_settings(found.settings, whole_.settings_, whole_.library_, whole_.command_);
    job_info_ = found;
  }

  void fail(int id, const std::string& reason) {
    session_.add_failure(launch_.value(), cases_.at(index(id)), reason);
    finished_.at(index(id)) = true;
  }

  std::optional<protocol::WorkerRequest> next_request() {
    if (asked_ != problems_.end()) {
      session_.done(whole_.cases_of(*asked_), since(asked_at_));
      asked_at_ = Clock::now();
    }
    asked_ = problems_.end();
    if (next_ == problems_.end() || session_.over()) return std::nullopt;
    if (std::exchange(calibrates_, false)) return protocol::CalibrateRequest{};
    asked_ = whole_.next_in_time(next_, problems_.end(), {});
    if (asked_ == problems_.end()) return std::nullopt;
    next_ = std::next(asked_);
    if (!launch_) {
      launch_ = whole_.begin(job_info_.value(), since(began_));
      session_.store().add(*launch_, calibration_);
    }
    asked_at_ = Clock::now();
    return whole_.request_of(*asked_);
  }

  /// A launch that leaves out a problem beyond the budget is not complete.
  [[nodiscard]] std::string outcome_of(const launch::JobEnd& end) const {
    if (!end.complete() || std::ranges::all_of(finished_, std::identity{})) return end.outcome;
    const auto over = session_.over();
    return over ? over->why : session_.spent();
  }

  LibraryLaunch& whole_;
  Session& session_;
  const std::vector<Case>& cases_;
  std::vector<bool> finished_;  // of the cases
  bool calibrates_;             // the machine, before its first problem
  Clock::time_point began_ = Clock::now();
  std::optional<protocol::JobInfo> job_info_{};
  Calibration calibration_{};
  std::optional<results::LaunchId> launch_{};  // once it measures
  const std::vector<plan::CandidateRange> problems_ = plan::problems_of(cases_);
  Problem next_ = problems_.begin();
  Problem asked_ = problems_.end();  // the present one
  Clock::time_point asked_at_{};
};

void LibraryLaunch::run() {
  while (!planned_.cases.empty() && !session_.over()) {
    const Seconds start_s = session_.forecast().start(planned_.layout);
    const auto problems = plan::problems_of(planned_.cases);
    if (next_in_time(problems.begin(), problems.end(), start_s) == problems.end()) return;
    const std::size_t before = planned_.cases.size();
    const std::string outcome = Start{*this}.run();
    if (planned_.cases.size() < before || session_.over()) continue;
    throw Error(fmt::format("the launch at {} got nowhere: {} ({})", procs_text(planned_.layout),
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
  environment["shares_memory"] = job_info.shares_memory;
  environment["nodes_on_kernel"] = job_info.nodes_on_kernel;
  environment["governor"] = job_info.governor;
  environment[kStartKey] = start.value;
  environment["settings"] = to_text(with_origins(job_info.settings, library_, command_));
  record_.environment = environment.dump();
  record_.placement = nlohmann::json(job_info.hosts).dump();
  return session_.begin(record_);
}

}  // namespace breakeven::session
