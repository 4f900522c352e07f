// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/mapping.hpp"
#include "harness/launch/launcher.hpp"
#include "harness/protocol/protocol.hpp"

namespace breakeven::launch {

/// An MPI library ready to be measured: its launcher and our worker for it.
struct Library {
  const Launcher* launcher = nullptr;
  std::string program{};                 ///< the launcher's
  std::vector<std::string> arguments{};  ///< more of the user's, for the launcher
  std::filesystem::path worker;
  std::filesystem::path yield;
  std::string why{};                       ///< see ChosenLauncher
  std::vector<std::string> hosts{};        ///< for a launcher that has to be told them
  std::vector<std::string> environment{};  ///< "NAME=value" for the ranks
};

/// How a user wants jobs to be started.
struct LauncherOptions {
  std::string worker{};    ///< folder of `breakeven worker build`; empty: this build's workers
  std::string launcher{};  ///< as choose_launcher takes it
  std::vector<std::string> arguments{};  ///< for it, several to a text as a shell would take them
  [[nodiscard]] bool given() const {
    return !worker.empty() || !launcher.empty() || !arguments.empty();
  }
};

/// A library whose launcher and worker need not be there: enough to say how a job would be started.
/// @throws UsageError when there is no such library or launcher.
/// @param workers  the folder of the workers, unless the options name another
[[nodiscard]] Library describe_library(std::string_view name, const std::filesystem::path& workers,
                                       const LauncherOptions& options);

/// The same, ready to start jobs.
/// @throws UsageError also when its launcher or worker is missing; the message says where it was
///         looked for.
[[nodiscard]] Library find_library(std::string_view name, const std::filesystem::path& workers,
                                   const LauncherOptions& options);

/// The whole command line of a job.
[[nodiscard]] ChildProcess::Command job_command(const Library& library, const JobLayout& layout);

/// What a job does next whenever it is ready; nothing: it shall end.
using NextRequest = std::function<std::optional<protocol::WorkerRequest>()>;
/// Why a job shall end although it has more to do.
struct Ending {
  std::string why{};  ///< "interrupted by SIGTERM"
  Seconds grace{3};   ///< for what runs
};
/// Nothing: go on.
using Over = std::function<std::optional<Ending>()>;
/// That a signal which remember_interrupts() caught asks for it.
[[nodiscard]] std::optional<Ending> over_by_signal();
/// Gets everything that a job says, in order.
using OnEvent = std::function<void(const protocol::WorkerEvent&)>;

/// How a job ended.
struct JobEnd {
  std::string outcome{};         ///< "complete", or what went wrong in words
  std::optional<int> culprit{};  ///< id of the case in which it crashed or hung
  [[nodiscard]] bool complete() const { return outcome == "complete"; }
};

/// Starts the job, hands it one request after another and passes on its events until it ends. A job
/// that crashes, or that is silent for `patience` longer than it said that what it does would take,
/// and is then ended, is a JobEnd, not
/// an exception. So is one that is over before it is through.
/// @param start  what its start is known to take
/// @throws UsageError when the launcher can't be started; whatever the functions throw, after the
///         job was ended.
[[nodiscard]] JobEnd run_job(const ChildProcess::Command& command, Seconds patience,
                             const NextRequest& next, const OnEvent& on_event,
                             const Over& over = over_by_signal, Seconds start = {});

/// Where the ranks were found to be, from the node of each.
/// @throws UsageError naming both when that is not the layout that was asked for.
void check_placement(const protocol::JobInfo& job_info, const NodeLayout& asked);

/// Whether so many processes on each node are more than its cores, of which nodes that share a
/// kernel have only a part.
/// @param host  what a job on these nodes said of them
[[nodiscard]] bool oversubscribed(const protocol::JobInfo& host, int procs_per_node);

}  // namespace breakeven::launch
