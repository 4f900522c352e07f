// SPDX-License-Identifier: BSD-3-Clause
#include "harness/launch/job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <sstream>
#include <utility>

#include "core/error.hpp"
#include "harness/order.hpp"

namespace breakeven {

namespace {

namespace fs = std::filesystem;

constexpr Seconds kGrace{2};  // for a job to end once it has nothing more to do

/// Whether a shell would find and run this program.
bool runnable(const std::string& program) {
  if (program.find('/') != std::string::npos) return access(program.c_str(), X_OK) == 0;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (access((fs::path(folder) / program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

/// The part of a request that is about one problem.
WorkerRequest only(CandidateRange problem, const WorkerRequest& request) {
  const auto first = request.cases.begin() + problem.first;
  return {.seed = request.seed,
          .measure = request.measure,
          .first_id = problem.first,
          .cases = {first, first + problem.count}};
}

/// The event in a line, or what is wrong with it.
using EventOrComplaint = std::variant<WorkerEvent, std::string>;

EventOrComplaint read_event(const std::string& line) {
  try {
    return parse_event(line);
  } catch (const Error& error) {
    return error.what();
  }
}

template <typename... Handlers>
struct Match : Handlers... {
  using Handlers::operator()...;
};

}  // namespace

Library find_library(std::string_view name, const fs::path& programs, const std::string& program,
                     const std::vector<std::string>& arguments) {
  const Launcher& launcher = find_launcher(name);
  Library library{.launcher = &launcher,
                  .program = program.empty() ? std::string{launcher.program} : program,
                  .arguments = arguments,
                  .worker = programs / fmt::format("breakeven-worker-{}", name),
                  .yield = programs / "libbreakeven_yield.so"};
  if (!runnable(library.program)) {
    throw UsageError(
        fmt::format("launcher '{}' of machine '{}' is missing or can't be run; "
                    "--launcher names another",
                    library.program, name));
  }
  // The yield library too: the loader would only warn and leave it out, and MPICH would measure
  // scheduler ticks.
  for (const auto& [needed, mode] : {std::pair{library.worker, X_OK}, {library.yield, R_OK}}) {
    if (access(needed.c_str(), mode) == 0) continue;
    throw UsageError(fmt::format(
        "'{}', which machine '{}' needs, is missing or can't be run; build it with that "
        "MPI library installed",
        needed.string(), name));
  }
  return library;
}

ChildProcess::Command job_command(const Library& library, const JobLayout& layout) {
  ChildProcess::Command command = library.launcher->command(library.program, layout, library.yield);
  command.arguments.insert(command.arguments.end(), library.arguments.begin(),
                           library.arguments.end());
  command.arguments.push_back(library.worker.string());
  return command;
}

JobEnd run_job(const ChildProcess::Command& command, const WorkerRequest& request, Seconds patience,
               const JobEvents& events) {
  ChildProcess job{command};
  const std::vector<CandidateRange> problems = problems_of(request.cases);
  auto problem = problems.begin();
  std::optional<int> current;
  std::string unreadable;  // what was wrong with a line; a crash cuts one short
  bool ended = false;
  const Match handlers{[&](const Hello& hello) { events.hello(hello); },
                       [&](const Ready&) {
                         if (problem == problems.end()) {
                           job.close_input();
                         } else {
                           job.write(to_json(only(*problem++, request)) + "\n");
                         }
                       },
                       [&](const Begin& begin) {
                         current = begin.id;
                         events.begin(begin);
                       },
                       [&](const Done& done) {
                         events.done(done);
                         current.reset();
                       },
                       [&](const Failed& failed) {
                         events.failed(failed);
                         current.reset();
                       },
                       [&](const End&) { ended = true; }};
  for (;;) {
    // After its last word the job only has to go: a library may hang in MPI_Finalize.
    const ChildProcess::Wait waited = job.next_line(ended ? kGrace : patience);
    if (waited == ChildProcess::Wait::closed || ended) break;
    if (waited == ChildProcess::Wait::timeout) {
      job.kill();
      return {fmt::format("hung: no word for {}{}", to_text(patience), unreadable), current};
    }
    if (!job.line().starts_with('{')) continue;  // a library's own chatter
    const EventOrComplaint line = read_event(job.line());
    if (const auto* complaint = std::get_if<std::string>(&line)) {
      unreadable = "; " + *complaint;
    } else {
      std::visit(handlers, std::get<WorkerEvent>(line));
    }
  }
  if (ended) return {"complete", std::nullopt};
  const std::string status = job.wait(kGrace);
  const std::string words = job.last_words();
  return {fmt::format("crashed: {}{}{}{}", status.empty() ? "ended early" : status,
                      words.empty() ? "" : "; last words: ", words, unreadable),
          current};
}

void check_placement(const Hello& hello, const PlannedLaunch& asked) {
  const std::vector<std::string>& hosts = hello.hosts;
  std::map<std::string, int> ranks_on;
  for (const std::string& host : hosts) ++ranks_on[host];
  const bool even = std::ranges::all_of(
      ranks_on, [&](const auto& entry) { return entry.second == asked.procs_per_node; });
  bool as_mapped = true;
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
    const auto first = asked.mapping == Mapping::seq
                           ? rank - rank % static_cast<std::size_t>(asked.procs_per_node)
                           : rank % static_cast<std::size_t>(asked.nodes);
    as_mapped = as_mapped && hosts[rank] == hosts[first];
  }
  if (static_cast<int>(hosts.size()) == asked.procs && even && as_mapped &&
      static_cast<int>(ranks_on.size()) == asked.nodes) {
    return;
  }
  throw UsageError(
      fmt::format("asked for {} processes as {} x {} {}, the launcher placed them on {} nodes: {}",
                  asked.procs, asked.nodes, asked.procs_per_node, kMappings.of(asked.mapping),
                  ranks_on.size(), fmt::join(hosts, " ")));
}

}  // namespace breakeven
