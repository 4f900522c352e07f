// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/mapping.hpp"
#include "harness/launch/launcher.hpp"
#include "harness/protocol/protocol.hpp"

namespace breakeven::launch {

/// An MPI library ready to be measured: its launcher and our worker for it.
struct Library {
  const Launcher* launcher = nullptr;
  std::string program{};                 ///< the launcher's
  std::vector<std::string> arguments{};  ///< the user's for the launcher
  std::filesystem::path worker;
  std::filesystem::path yield;
  std::string why{};                       ///< see ChosenLauncher
  std::vector<std::string> hosts{};        ///< for a launcher that needs their names
  std::vector<std::string> environment{};  ///< "NAME=value" for the ranks
};

/// The user's options for the start of jobs.
struct LauncherOptions {
  std::string worker{};    ///< folder of `breakeven worker build`; empty: this build's workers
  std::string launcher{};  ///< as choose_launcher takes it
  std::vector<std::string> arguments{};  ///< for it; each text may have several, as in a shell
  [[nodiscard]] bool given() const {
    return !worker.empty() || !launcher.empty() || !arguments.empty();
  }
};

/// A library whose launcher and worker need not exist: enough to print the command of a job.
/// @throws UsageError when there is no such library or launcher.
/// @param workers  the folder of the workers, unless the options name another
[[nodiscard]] Library describe_library(std::string_view name, const std::filesystem::path& workers,
                                       const LauncherOptions& options);

/// The same, ready to start jobs.
/// @throws UsageError also when its launcher or worker is missing; the message names the file.
[[nodiscard]] Library find_library(std::string_view name, const std::filesystem::path& workers,
                                   const LauncherOptions& options);

/// The whole command line of a job.
[[nodiscard]] ChildProcess::Command job_command(const Library& library, const JobLayout& layout);

/// The next request for a job that is ready; nothing: the job shall end.
using NextRequest = std::function<std::optional<protocol::WorkerRequest>()>;
/// The reason to end a job before its work is done.
struct Ending {
  std::string why{};  ///< "interrupted by SIGTERM"
  Seconds grace{3};   ///< for the present case
};
/// Nothing: go on.
using Over = std::function<std::optional<Ending>()>;

/// From now on SIGINT, SIGTERM and SIGUSR1 (batch systems send these before they kill) no longer
/// end this process but are remembered: work in steps asks after each step whether to go on. A
/// second signal of the same kind ends the process as usual.
void remember_interrupts();

/// From now on these signals do what they did before. A remembered SIGINT or SIGTERM ends this
/// process now; SIGUSR1 has ended the steps.
void heed_interrupts();

/// The end that a remembered signal asks for: "interrupted by SIGTERM".
[[nodiscard]] std::optional<Ending> over_by_signal();

/// Gets all events of a job, in order.
using OnEvent = std::function<void(const protocol::WorkerEvent&)>;

/// How a job ended.
struct JobEnd {
  std::string outcome{};         ///< "complete", or what went wrong in words
  std::optional<int> culprit{};  ///< id of the case in which it crashed or hung
  [[nodiscard]] bool complete() const { return outcome == "complete"; }
};

/// Starts the job, gives it one request after another and passes on its events until it ends. A job
/// that is silent for `patience` longer than the time that it has announced is ended. A crash, a
/// hang and an early end are a JobEnd, not an exception.
/// @param start  time that its start is known to take
/// @throws UsageError when the launcher can't be started; whatever the functions throw, after the
///         job was ended.
[[nodiscard]] JobEnd run_job(const ChildProcess::Command& command, Seconds patience,
                             const NextRequest& next, const OnEvent& on_event,
                             const Over& over = over_by_signal, Seconds start = {});

/// Starts a job for a few requests, and gives its events to those `handlers` that take them.
/// @param patience  silence after which the job counts as hung
/// @throws as run_job() does
template <typename... Handlers>
[[nodiscard]] JobEnd ask(const ChildProcess::Command& command, Seconds patience,
                         const std::vector<protocol::WorkerRequest>& requests,
                         Handlers... handlers) {
  const protocol::Match follow{std::move(handlers)..., [](const auto&) {}};
  auto request = requests.begin();
  const auto next = [&]() -> std::optional<protocol::WorkerRequest> {
    if (request == requests.end()) return std::nullopt;
    return *request++;
  };
  return run_job(command, patience, next,
                 [&](const protocol::WorkerEvent& event) { std::visit(follow, event); });
}

struct Probed {
  protocol::JobInfo job_info{};
  LibraryCapabilities capabilities{};
  ChildProcess::Command command{};  ///< of the job
  NodeLayout layout{};              ///< of its processes
};

/// Starts a process on each node, all processes under an irregular mapping, and asks for the facts
/// about library and nodes. It shows that jobs start, and on the requested number of nodes.
/// @param patience  silence after which the job counts as hung
/// @param most  processes on each node, where the layout has so many: two tell whether they share
///              memory
/// @throws UsageError when a job can't be started or placed so.
[[nodiscard]] Probed probe(const Library& library, const NodeLayout& layout, Seconds patience,
                           int most = 1);

/// Compares the layout of a job's ranks with the requested one.
/// @throws UsageError naming both when they differ.
void check_placement(const protocol::JobInfo& job_info, const NodeLayout& asked);

/// A job's place on nodes; nodes that share a kernel, as containers do, share its cores.
/// @param host  from a job on these nodes
[[nodiscard]] JobLayout place_on(const protocol::JobInfo& host, const NodeLayout& layout);

}  // namespace breakeven::launch
