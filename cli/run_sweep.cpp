// SPDX-License-Identifier: BSD-3-Clause
#include "cli/run_sweep.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/files.hpp"
#include "cli/progress.hpp"
#include "cli/settings.hpp"
#include "cli/version.hpp"
#include "core/error.hpp"
#include "harness/model_machine.hpp"

namespace breakeven {

namespace {

/// The record of one start of a job: what was planned, and what the worker found.
Launch launch_record(const PlannedLaunch& planned) {
  return {.procs = planned.procs,
          .nodes = planned.nodes,
          .procs_per_node = planned.procs_per_node,
          .mapping = planned.mapping,
          .repeat = planned.repeat,
          .seed = planned.seed,
          .command = {},
          .placement = "[]",
          .environment = {},
          .oversubscribed = false};
}

nlohmann::json own_environment() {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  return {{"host", host.data()}, {"breakeven_version", kVersion}, {"breakeven_commit", kGitCommit}};
}

/// A database, a machine in it, and what a run has done to them.
struct Session {
  Store& store;
  MachineId machine;
  const SweepRequest& request;
  Progress& progress;
  SweepSummary summary;

  void add_failure(LaunchId launch, const Case& what, const std::string& reason) {
    store.add_failure(launch, what, reason);
    ++summary.failed;
    progress.say(fmt::format("failed: {}: {}", to_text(what), reason));
    progress.advance();
  }
  void add(LaunchId launch, const Case& what, std::span<const Seconds> samples, int warmups) {
    store.add(launch, what, samples, warmups);
    ++summary.measured;
    progress.advance();
  }
};

/// One launch on an MPI library, started again after a crash or a hang until each of its cases is
/// measured or has failed.
class LibraryLaunch {
 public:
  LibraryLaunch(Session& session, const Library& library, const Hello& host, PlannedLaunch planned)
      : session_{session}, planned_{std::move(planned)}, record_{launch_record(planned_)} {
    record_.oversubscribed = planned_.procs_per_node > host.cores;
    command_ = job_command(library, {.procs = planned_.procs,
                                     .nodes = planned_.nodes,
                                     .procs_per_node = planned_.procs_per_node,
                                     .mapping = planned_.mapping,
                                     .oversubscribed = record_.oversubscribed});
    record_.command = to_text(command_);
  }

  void run() {
    while (!planned_.cases.empty()) {
      const std::size_t before = planned_.cases.size();
      const std::string outcome = start();
      if (planned_.cases.size() < before) continue;
      throw Error(fmt::format("the launch at p = {} got nowhere: {} ({})", planned_.procs, outcome,
                              record_.command));
    }
  }

 private:
  /// One start of the job. Takes the cases that it finished out of the plan.
  std::string start() {
    const std::vector<Case>& cases = planned_.cases;
    std::vector<bool> finished(cases.size(), false);
    std::optional<LaunchId> launch;
    const auto index = [&](int id) { return static_cast<std::size_t>(id); };
    const JobEvents events{
        .hello =
            [&](const Hello& hello) {
              check_placement(hello, planned_);
              launch = begin(hello);
            },
        .begin =
            [&](const Begin& begin) { session_.progress.at(to_text(cases.at(index(begin.id)))); },
        .done =
            [&](const Done& done) {
              session_.add(launch.value(), cases.at(index(done.id)), done.samples, done.warmups);
              finished.at(index(done.id)) = true;
            },
        .failed =
            [&](const Failed& failed) {
              session_.add_failure(launch.value(), cases.at(index(failed.id)), failed.reason);
              finished.at(index(failed.id)) = true;
            }};
    const WorkerRequest request{
        .seed = planned_.seed, .measure = session_.request.sweep.measure, .cases = cases};
    const JobEnd end = run_job(command_, request, session_.request.patience, events);
    if (end.culprit && !finished.at(index(*end.culprit))) {
      session_.add_failure(launch.value(), cases.at(index(*end.culprit)), end.outcome);
      finished.at(index(*end.culprit)) = true;
    }
    if (launch) session_.store.end(*launch, end.outcome);
    std::size_t next = 0;
    std::erase_if(planned_.cases, [&](const Case&) { return finished[next++]; });
    return end.outcome;
  }

  LaunchId begin(const Hello& hello) {
    nlohmann::json environment = own_environment();
    environment["library_version"] = hello.library_version;
    environment["cpu"] = hello.cpu;
    environment["cores"] = hello.cores;
    environment["kernel"] = hello.kernel;
    environment["governor"] = hello.governor;
    record_.environment = environment.dump();
    record_.placement = nlohmann::json(hello.hosts).dump();
    return session_.store.begin(session_.machine, record_);
  }

  Session& session_;
  PlannedLaunch planned_;
  Launch record_;
  ChildProcess::Command command_;
};

/// Asks one process on each node what the library is and runs on. Shows too that jobs start at all,
/// and on as many nodes as were asked for.
Hello probe(const Library& library, const Sweep& sweep, Seconds patience) {
  const PlannedLaunch one_each{.procs = sweep.nodes, .nodes = sweep.nodes};
  std::optional<Hello> found;
  const JobEvents events{.hello = [&](const Hello& hello) { found = hello; },
                         .begin = [](const Begin&) {},
                         .done = [](const Done&) {},
                         .failed = [](const Failed&) {}};
  const ChildProcess::Command command =
      job_command(library, {.procs = sweep.nodes, .nodes = sweep.nodes});
  const JobEnd end = run_job(command, {}, patience, events);
  if (found && end.complete()) {
    check_placement(*found, one_each);
    return *found;
  }
  throw UsageError(fmt::format("'{}' can't start a job: {}", to_text(command), end.outcome));
}

void run_on_model(Session& session, ModelMachine& machine, const PlannedLaunch& planned) {
  Store::Batch batch = session.store.batch();
  Launch record = launch_record(planned);
  record.environment = own_environment().dump();
  const LaunchId launch = session.store.begin(session.machine, record);
  for (const Case& what : planned.cases) {
    session.progress.at(to_text(what));
    session.add(launch, what,
                machine.samples(what, planned.repeat, session.request.sweep.measure.repetitions),
                0);
  }
  session.store.end(launch, "complete");
  batch.commit();
}

/// A plan less what the database holds of it.
struct Rest {
  Plan open{};
  std::size_t failed_before = 0;  ///< held, but only as failures
};

Rest rest_of(const Plan& plan, const Store& store, MachineId machine, bool retry_failed) {
  std::set<std::pair<Case, int>> measured;
  std::set<std::pair<Case, int>> stored;
  for (const Stored& row : store.stored(machine)) {
    if (row.failure.empty()) measured.emplace(row.what, row.repeat);
    if (row.failure.empty() || !retry_failed) stored.emplace(row.what, row.repeat);
  }
  Rest rest{.open = remaining(plan, stored)};
  rest.failed_before = measurements(remaining(plan, measured)) - measurements(rest.open);
  return rest;
}

/// Runs every launch of what is left of the plan with `measure`.
template <typename Measure>
SweepSummary run_plan(const SweepRequest& request, const Machine& machine, const Plan& plan,
                      const Measure& measure) {
  Store store{request.database, Store::Access::write};
  const MachineId id = store.add(machine);
  store.remember(id, to_toml(request.sweep));
  const Rest rest = rest_of(plan, store, id, request.retry_failed);
  const Plan& open = rest.open;
  Progress progress{measurements(open)};
  for (const auto& [words, procs] : plan.left_out) {
    progress.say(fmt::format("left out at p = {}: {}", fmt::join(procs, ","), words));
  }
  const std::size_t before = measurements(plan) - measurements(open) - rest.failed_before;
  if (before > 0)
    progress.say(fmt::format("{} of {} are stored already", before, measurements(plan)));
  Session session{
      store, id, request, progress, {.failed_before = rest.failed_before, .stored_before = before}};
  std::size_t number = 0;
  for (const PlannedLaunch& launch : open.launches) {
    progress.begin_part(fmt::format("p = {}, repeat {}, launch {} of {}", launch.procs,
                                    launch.repeat, ++number, open.launches.size()));
    measure(session, launch);
  }
  return session.summary;
}

}  // namespace

SweepSummary run_sweep(const SweepRequest& request) {
  if (!(request.patience.value > 0 && std::isfinite(request.patience.value))) {
    throw UsageError(fmt::format("case time-out of {} s asked for; it must be positive and finite",
                                 request.patience.value));
  }
  if (is_model(request.sweep.machine)) {
    const Model model = parse_model(request.sweep.machine);
    const Plan plan = make_plan(request.sweep, MachineKind::model);
    ModelMachine machine{model};
    return run_plan(request, {.name = to_text(model), .kind = MachineKind::model}, plan,
                    [&](Session& session, const PlannedLaunch& launch) {
                      run_on_model(session, machine, launch);
                    });
  }
  const Library library = find_library(request.sweep.machine, programs_folder(), request.launcher,
                                       request.launcher_arguments);
  const Plan plan = make_plan(request.sweep, MachineKind::library);
  const Hello host = probe(library, request.sweep, request.patience);
  const Machine machine{.name = request.sweep.machine,
                        .kind = MachineKind::library,
                        .library_version = host.library_version,
                        .cpu = host.cpu};
  return run_plan(request, machine, plan, [&](Session& session, const PlannedLaunch& launch) {
    LibraryLaunch{session, library, host, launch}.run();
  });
}

}  // namespace breakeven
