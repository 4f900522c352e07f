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

using Clock = std::chrono::steady_clock;
[[nodiscard]] inline Seconds since(Clock::time_point begin) {
  return {std::chrono::duration<double>(Clock::now() - begin).count()};
}

/// One run of a sweep: a database, a machine in it, the progress, and the results.
class Session {
 public:
  Session(results::Store& store, results::MachineId machine, const SweepRequest& request,
          plan::Forecast forecast, Listener& listener);

  [[nodiscard]] const SweepRequest& request() const { return request_; }
  [[nodiscard]] results::Store& store() { return store_; }
  [[nodiscard]] results::MachineId machine() const { return machine_; }
  [[nodiscard]] Listener& listener() { return listener_; }
  [[nodiscard]] SweepSummary& summary() { return summary_; }

  /// The reason to begin no more work: "interrupted by SIGTERM", "budget of 600 s spent". Nothing:
  /// go on.
  [[nodiscard]] std::optional<launch::Ending> over() const;
  /// The outcome of a launch that leaves out problems beyond the budget: "budget of 600 s spent".
  [[nodiscard]] std::string spent() const;
  /// The reason of its end, for the user: "Stopped after 30 s."
  [[nodiscard]] std::optional<std::string> stopped() const;
  /// Whether the budget does not allow a single problem.
  [[nodiscard]] bool too_short() const { return next_ && summary_.measured + summary_.failed == 0; }
  /// The rest of the budget.
  [[nodiscard]] Seconds left() const;
  /// Ends the session: the next problem probably takes longer than the rest of the budget.
  void end_before(Seconds next) { next_ = next; }
  [[nodiscard]] plan::Forecast& forecast() { return forecast_; }

  /// Tells the listener the probable rest, now and whenever a part of it is done.
  void expect(plan::Loads loads);
  /// A launch's job has started.
  void started(const NodeLayout& layout, Seconds took);
  /// The job has measured candidates of a problem.
  void done(std::span<const Case> cases, Seconds took);

  /// Records the beginning of a launch.
  [[nodiscard]] results::LaunchId begin(const Launch& launch);
  /// Stores the result of a case of the launch that was begun last.
  void add(results::LaunchId launch, const Case& what, const CaseResult& result);
  void add_failure(results::LaunchId launch, const Case& what, const std::string& reason);

 private:
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
  std::optional<Seconds> next_{};  ///< time of a problem that would have taken too long
};

/// A plan for a machine, and the function that runs a launch of it there.
struct PlanRun {
  Machine machine{};
  LibraryCapabilities capabilities{};
  plan::SweepPlan plan{};
  plan::Forecast forecast;                  ///< without the database
  std::function<void(Session&)> prepare{};  ///< before the first launch, if one is needed
  std::function<void(Session&, plan::PlannedLaunch&)> measure{};
};

/// Runs the rest of the plan: the launches of a sweep that are worth it (session/agenda.hpp), all
/// of a trial. Stores each finished case at once.
/// @throws Error when a launch fails without a result.
[[nodiscard]] SweepSummary run_plan(const SweepRequest& request, const PlanRun& what,
                                    Listener& listener);

}  // namespace breakeven::session
