// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/launch/job.hpp"
#include "harness/plan/order.hpp"
#include "harness/session/session.hpp"

namespace breakeven::session {

/// One launch on an MPI library, started again after a crash or a hang until each of its cases is
/// measured or has failed, or the session is over.
class LibraryLaunch {
 public:
  /// @param host  facts about a node: its cores, and the settings in force
  LibraryLaunch(Session& session, const launch::Library& library, const protocol::JobInfo& host,
                plan::PlannedLaunch planned);

  /// @throws Error when a start of the job finishes no case; earlier measurements are stored.
  void run();

 private:
  class Start;
  using Problem = std::vector<plan::CandidateRange>::const_iterator;

  [[nodiscard]] Problem next_in_time(Problem from, Problem end, Seconds before) const;
  [[nodiscard]] std::span<const Case> cases_of(plan::CandidateRange problem) const;
  /// @param start  time of the job until now
  results::LaunchId begin(const protocol::JobInfo& job_info, Seconds start);
  /// The candidates of one problem as a request.
  [[nodiscard]] protocol::MeasureRequest request_of(plan::CandidateRange problem) const;

  Session& session_;
  plan::PlannedLaunch planned_;
  std::string_view library_;
  LibrarySettings settings_;  ///< of the machine
  Launch record_;
  launch::ChildProcess::Command command_;
};

/// The record of one start of a job, with all that is known beforehand.
[[nodiscard]] Launch launch_record(const plan::PlannedLaunch& planned,
                                   const protocol::MeasurePlan& plan);

/// The host and the program, as JSON: part of every launch's environment.
[[nodiscard]] std::string own_environment();

}  // namespace breakeven::session
