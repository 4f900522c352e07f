// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "harness/session/listener.hpp"
#include "harness/session/run_sweep.hpp"

namespace breakeven::session {

/// One run of a sweep: a database, a machine in it, how far it is, and what it has done.
class Session {
 public:
  Session(results::Store& store, results::MachineId machine, const SweepRequest& request,
          Listener& listener);

  [[nodiscard]] const SweepRequest& request() const { return request_; }
  [[nodiscard]] results::Store& store() { return store_; }
  [[nodiscard]] results::MachineId machine() const { return machine_; }
  [[nodiscard]] Listener& listener() { return listener_; }
  [[nodiscard]] SweepSummary& summary() { return summary_; }

  /// Why nothing new shall be begun: "interrupted by SIGTERM", "budget of 600 s spent". Nothing: go
  /// on.
  [[nodiscard]] std::optional<std::string> over() const;

  /// Records the beginning of a launch.
  [[nodiscard]] results::LaunchId begin(const Launch& launch);
  /// Stores what the launch that was begun last found out about a case.
  void add(results::LaunchId launch, const Case& what, const CaseResult& result);
  void add_failure(results::LaunchId launch, const Case& what, const std::string& reason);

 private:
  using Clock = std::chrono::steady_clock;

  results::Store& store_;
  results::MachineId machine_;
  const SweepRequest& request_;
  Listener& listener_;
  SweepSummary summary_{};
  Clock::time_point launch_started_{};
};

}  // namespace breakeven::session
