// SPDX-License-Identifier: BSD-3-Clause
#include "harness/launch/job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "core/error.hpp"
#include "core/folded.hpp"
#include "harness/launch/choose.hpp"
#include "harness/launch/interrupt.hpp"

namespace breakeven::launch {

namespace {

namespace fs = std::filesystem;

using Clock = std::chrono::steady_clock;

constexpr Seconds kGrace{2};     // for a job to end once it has nothing more to do
constexpr Seconds kGlance{0.2};  // how often to look whether it is over

/// The launcher that `breakeven worker build` linked into the folder, by its real path.
/// @throws UsageError when there is no worker of this library in the folder
std::string mpiexec_of(const fs::path& folder, std::string_view name) {
  const fs::path worker = folder / fmt::format("breakeven-worker-{}", name);
  if (!fs::exists(worker)) {
    throw UsageError(
        fmt::format("--worker: no '{}'; `breakeven worker build` makes one", worker.string()));
  }
  const fs::path mpiexec = folder / "mpiexec";
  return fs::is_symlink(mpiexec) ? fs::read_symlink(mpiexec).string() : "";
}

Clock::duration as_duration(Seconds time) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(time.value));
}

/// The library's text for LD_PRELOAD, which ends names at blanks: a worker finds libraries in its
/// own folder by their names.
fs::path preloadable(const fs::path& library) {
  return library.native().find(' ') == std::string::npos ? library : library.filename();
}

}  // namespace

Library describe_library(std::string_view name, const fs::path& workers,
                         const LauncherOptions& options) {
  const bool built = !options.worker.empty();  // by the user, with its library's mpiexec
  const fs::path folder = built ? fs::absolute(options.worker).lexically_normal() : workers;
  const ChosenLauncher chosen =
      choose_launcher(name, options.launcher, built ? mpiexec_of(folder, name) : "");
  Library library{.launcher = chosen.launcher,
                  .program = chosen.program,
                  .arguments = {},
                  .worker = folder / fmt::format("breakeven-worker-{}", name),
                  .yield = folder / "libbreakeven_yield.so",
                  .why = chosen.why};
  for (const std::string& text : options.arguments) {
    for (std::string& word : split_words(text)) library.arguments.push_back(std::move(word));
  }
  return library;
}

Library find_library(std::string_view name, const fs::path& workers,
                     const LauncherOptions& options) {
  Library library = describe_library(name, workers, options);
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
        "'{}', which machine '{}' needs, is missing or can't be run; install it (Debian: "
        "breakeven-{}), or `breakeven worker build` makes it",
        needed.string(), name, name));
  }
  return library;
}

ChildProcess::Command job_command(const Library& library, const JobLayout& layout) {
  JobLayout placed = layout;
  if (placed.hosts.empty()) placed.hosts = library.hosts;
  ChildProcess::Command command =
      library.launcher->command(library.program, placed, preloadable(library.yield));
  command.environment.insert(command.environment.end(), library.environment.begin(),
                             library.environment.end());
  command.arguments.insert(command.arguments.end(), library.arguments.begin(),
                           library.arguments.end());
  command.arguments.push_back(library.worker.string());
  return command;
}

std::optional<Ending> over_by_signal() {
  if (const auto signal = interrupted()) return Ending{fmt::format("interrupted by {}", *signal)};
  return std::nullopt;
}

JobEnd run_job(const ChildProcess::Command& command, Seconds patience, const NextRequest& next,
               const OnEvent& on_event, const Over& over, Seconds start) {
  ChildProcess job{command};
  std::optional<int> current;
  std::string doing = " during the start of the job";
  Seconds allowed = patience + start;  // for what is done now
  std::string unreadable;              // what was wrong with a line; a crash cuts one short
  bool ended = false;
  const auto between = [&] {
    current.reset();
    doing = " between cases";
  };
  const protocol::Match follow{
      [&](const protocol::Ready&) {
        if (const std::optional<protocol::WorkerRequest> request = next()) {
          job.write(protocol::to_json(*request) + "\n");
          doing = " after a request";
        } else {
          job.close_input();
        }
      },
      [&](const protocol::CaseBegin& begin) {
        current = begin.id;
        doing = fmt::format(" during {}", begin.doing);
        allowed = patience + begin.expected;
      },
      [&](const protocol::CaseDone&) { between(); },
      [&](const protocol::CaseFailed&) { between(); },
      [&](const protocol::LaunchEnd&) { ended = true; },
      [](const auto&) {}};
  auto last_word = Clock::now();
  std::optional<Clock::time_point> deadline;  // once it is over
  for (;;) {
    // After its last word the job only has to go: a library may hang in MPI_Finalize.
    const ChildProcess::Wait waited = job.next_line(ended && !over() ? kGrace : kGlance);
    if (waited == ChildProcess::Wait::closed || ended) break;
    const auto now = Clock::now();
    if (!deadline) {
      if (const auto ending = over()) deadline = now + as_duration(ending->grace);
    }
    if (deadline && now > *deadline) {
      job.kill();
      break;
    }
    if (waited == ChildProcess::Wait::timeout) {
      if (now - last_word < as_duration(allowed)) continue;
      job.kill();
      return {fmt::format("hung: no word for {}{}{}", to_text(allowed), doing, unreadable),
              current};
    }
    last_word = now;
    if (!job.line().starts_with('{')) continue;  // a library's own chatter
    std::optional<protocol::WorkerEvent> event;
    try {
      event = protocol::parse_event(job.line());
    } catch (const Error& error) {
      unreadable = fmt::format("; {}", error.what());
      continue;
    }
    on_event(*event);
    std::visit(follow, *event);
  }
  if (ended) return {"complete", std::nullopt};
  if (const auto ending = over()) return {ending->why, std::nullopt};  // and no case's fault
  const std::string status = job.wait(kGrace);
  const std::string words = job.error_text();
  return {fmt::format("crashed: {}{}{}{}", status.empty() ? "ended early" : status,
                      words.empty() ? "" : "; last words: ", words, unreadable),
          current};
}

void check_placement(const protocol::JobInfo& job_info, const NodeLayout& asked) {
  const NodeLayout found = recognise(job_info.nodes);
  const bool as_asked = found.procs == asked.procs && found.nodes == asked.nodes &&
                        found.procs_per_node == asked.procs_per_node &&
                        nodes_of_ranks(found) == nodes_of_ranks(asked);
  if (as_asked) return;
  constexpr std::size_t kLong = 80;  // an irregular mapping names each rank's node
  const std::string text = to_text(found);
  const std::string as = text.size() <= kLong
                             ? text
                             : fmt::format("{} x {} irregular", found.nodes, found.procs_per_node);
  throw UsageError(fmt::format("asked for {} processes as {}, the launcher placed {} as {}: {}",
                               asked.procs, to_text(asked), found.procs, as,
                               folded_placement(job_info.hosts)));
}

bool oversubscribed(const protocol::JobInfo& host, int procs_per_node) {
  return procs_per_node * host.nodes_on_kernel > host.cores;
}

}  // namespace breakeven::launch
