// SPDX-License-Identifier: BSD-3-Clause
#include "harness/launch/job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <sstream>
#include <utility>

#include "core/error.hpp"
#include "harness/launch/interrupt.hpp"

namespace breakeven {

namespace {

namespace fs = std::filesystem;

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kWindDown{3};  // for the problem that an interrupt finds running
constexpr Seconds kGrace{2};                  // for a job to end once it has nothing more to do
constexpr Seconds kGlance{0.2};               // how often to look for an interrupt

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

/// The event in a line, or what is wrong with it.
using EventOrComplaint = std::variant<WorkerEvent, std::string>;

EventOrComplaint read_event(const std::string& line) {
  try {
    return parse_event(line);
  } catch (const Error& error) {
    return error.what();
  }
}

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
  JobLayout placed = layout;
  if (placed.hosts.empty()) placed.hosts = library.hosts;
  ChildProcess::Command command = library.launcher->command(library.program, placed, library.yield);
  command.environment.insert(command.environment.end(), library.environment.begin(),
                             library.environment.end());
  command.arguments.insert(command.arguments.end(), library.arguments.begin(),
                           library.arguments.end());
  command.arguments.push_back(library.worker.string());
  return command;
}

JobEnd run_job(const ChildProcess::Command& command, Seconds patience, const NextRequest& next,
               const OnEvent& on_event) {
  ChildProcess job{command};
  std::optional<int> current;
  std::string unreadable;  // what was wrong with a line; a crash cuts one short
  bool ended = false;
  const Match follow{[&](const Ready&) {
                       if (const std::optional<WorkerRequest> request = next()) {
                         job.write(to_json(*request) + "\n");
                       } else {
                         job.close_input();
                       }
                     },
                     [&](const Begin& begin) { current = begin.id; },
                     [&](const Done&) { current.reset(); },
                     [&](const Failed&) { current.reset(); },
                     [&](const End&) { ended = true; },
                     [](const auto&) {}};
  auto last_word = Clock::now();
  std::optional<Clock::time_point> deadline;  // set by an interrupt
  for (;;) {
    // After its last word the job only has to go: a library may hang in MPI_Finalize.
    const ChildProcess::Wait waited = job.next_line(ended ? kGrace : kGlance);
    if (waited == ChildProcess::Wait::closed || ended) break;
    const auto now = Clock::now();
    if (interrupted() && !deadline) deadline = now + kWindDown;
    if (deadline && now > *deadline) {
      job.kill();
      break;
    }
    if (waited == ChildProcess::Wait::timeout) {
      if (now - last_word < std::chrono::duration<double>(patience.value)) continue;
      job.kill();
      return {fmt::format("hung: no word for {}{}", to_text(patience), unreadable), current};
    }
    last_word = now;
    if (!job.line().starts_with('{')) continue;  // a library's own chatter
    const EventOrComplaint line = read_event(job.line());
    if (const auto* complaint = std::get_if<std::string>(&line)) {
      unreadable = "; " + *complaint;
    } else {
      const auto& event = std::get<WorkerEvent>(line);
      on_event(event);
      std::visit(follow, event);
    }
  }
  if (ended) return {"complete", std::nullopt};
  if (const auto signal = interrupted()) {
    return {fmt::format("interrupted by {}", *signal), std::nullopt};  // and no case's fault
  }
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
