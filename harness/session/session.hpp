// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "harness/plan/cost.hpp"
#include "harness/session/run_sweep.hpp"

namespace breakeven::session {

/// One run of a sweep: a database, a machine in it, how far it is, and what it has done.
class Session {
 public:
  Session(results::Store& store, results::MachineId machine, const SweepRequest& request,
          plan::Forecast forecast, Listener& listener);

  [[nodiscard]] const SweepRequest& request() const { return request_; }
  [[nodiscard]] results::Store& store() { return store_; }
  [[nodiscard]] results::MachineId machine() const { return machine_; }
  [[nodiscard]] Listener& listener() { return listener_; }
  [[nodiscard]] SweepSummary& summary() { return summary_; }

  /// Why nothing new shall be begun: "interrupted by SIGTERM", "budget of 600 s spent". Nothing: go
  /// on.
  [[nodiscard]] std::optional<launch::Ending> over() const;
  /// How a launch ends that leaves out what would take longer than the budget: "budget of 600 s
  /// spent".
  [[nodiscard]] std::string spent() const;
  /// Why the session is over, for the user: "Stopped after 30 s."
  [[nodiscard]] std::optional<std::string> stopped() const;
  /// Whether the budget does not even allow one problem.
  [[nodiscard]] bool too_short() const { return next_ && summary_.measured + summary_.failed == 0; }
  /// What is left of the budget.
  [[nodiscard]] Seconds left() const;
  /// Ends the session: what comes next takes probably longer than what is left of the budget.
  void end_before(Seconds next) { next_ = next; }
  [[nodiscard]] plan::Forecast& forecast() { return forecast_; }

  /// Tells the listener what probably remains, now and whenever some of it is done.
  void expect(plan::Loads loads);
  /// A launch's job has started.
  void started(const NodeLayout& layout, Seconds took);
  /// It has measured candidates of a problem.
  void done(std::span<const Case> cases, Seconds took);

  /// Records the beginning of a launch.
  [[nodiscard]] results::LaunchId begin(const Launch& launch);
  /// Stores what the launch that was begun last found out about a case.
  void add(results::LaunchId launch, const Case& what, const CaseResult& result);
  void add_failure(results::LaunchId launch, const Case& what, const std::string& reason);

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] plan::Load* load_of(const NodeLayout& layout);
  void tell();

  results::Store& store_;
  results::MachineId machine_;
  const SweepRequest& request_;
  Listener& listener_;
  SweepSummary summary_{};
  Clock::time_point launch_started_{};
  plan::Forecast forecast_;
  plan::Loads loads_{};            ///< that remain
  std::optional<Seconds> next_{};  ///< that would have taken too long
};

/// A plan to be measured on a machine, and how a launch of it is run there.
struct PlanRun {
  Machine machine{};
  LibraryCapabilities capabilities{};
  plan::SweepPlan plan{};
  plan::Forecast forecast;                  ///< by what is known beside the database
  std::function<void(Session&)> prepare{};  ///< before the first launch, if there is one
  std::function<void(Session&, plan::PlannedLaunch&)> measure{};
};

/// Runs what is left of the plan: of a sweep what is worth it (session/agenda.hpp), of a trial all.
/// Stores each case as it is finished.
/// @throws Error when a launch fails without getting anywhere.
[[nodiscard]] SweepSummary run_plan(const SweepRequest& request, const PlanRun& what,
                                    Listener& listener);

}  // namespace breakeven::session
