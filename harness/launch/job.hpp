// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/launch.hpp"
#include "harness/launch/launcher.hpp"
#include "harness/protocol.hpp"
#include "harness/sweep.hpp"

namespace breakeven {

/// An MPI library ready to be measured: its launcher and our worker for it.
struct Library {
  const Launcher* launcher = nullptr;
  std::string program{};                 ///< the launcher; the build's, unless the user named one
  std::vector<std::string> arguments{};  ///< more of the user's, for the launcher
  std::filesystem::path worker;
  std::filesystem::path yield;
  std::vector<std::string> hosts{};        ///< for a launcher that has to be told them
  std::vector<std::string> environment{};  ///< "NAME=value" for the ranks
};

/// @throws UsageError when there is no such library, or its launcher or worker is missing; the
///         message says where it was looked for.
/// @param programs   the folder of this program, where its workers are
/// @param program    another launcher than the build's, or empty
[[nodiscard]] Library find_library(std::string_view name, const std::filesystem::path& programs,
                                   const std::string& program,
                                   const std::vector<std::string>& arguments);

/// The whole command line of a job.
[[nodiscard]] ChildProcess::Command job_command(const Library& library, const JobLayout& layout);

/// What a job does next whenever it is ready; nothing: it shall end.
using NextRequest = std::function<std::optional<WorkerRequest>()>;
/// Gets everything that a job says, in order.
using OnEvent = std::function<void(const WorkerEvent&)>;

/// For std::visit: one function for each kind of event that matters, and one for the others.
template <typename... Handlers>
struct Match : Handlers... {
  using Handlers::operator()...;
};

/// How a job ended.
struct JobEnd {
  std::string outcome{};         ///< "complete", or what went wrong in words
  std::optional<int> culprit{};  ///< id of the case in which it crashed or hung
  [[nodiscard]] bool complete() const { return outcome == "complete"; }
};

/// Starts the job, hands it one request after another and passes on its events until it ends. A job
/// that crashes, or that is silent for longer than `patience` and is then ended, is a JobEnd, not
/// an exception.
/// @throws UsageError when the launcher can't be started; whatever the functions throw, after the
///         job was ended.
[[nodiscard]] JobEnd run_job(const ChildProcess::Command& command, Seconds patience,
                             const NextRequest& next, const OnEvent& on_event);

/// Where the ranks were found to be, from each rank's host.
/// @throws UsageError naming both when that is not the layout that was asked for.
void check_placement(const Hello& hello, const PlannedLaunch& asked);

}  // namespace breakeven
