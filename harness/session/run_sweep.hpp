// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "harness/launch/job.hpp"
#include "harness/plan/sweep.hpp"
#include "results/store.hpp"

namespace breakeven::session {

/// A sweep, and the options of this run.
struct SweepRequest {
  plan::Sweep sweep{};
  std::string text{};  ///< the sweep, for `status`; empty: a trial
  std::string database{};
  launch::LauncherOptions launcher{};
  Seconds patience{60};  ///< silence after which a job counts as hung
  Seconds budget{std::numeric_limits<double>::infinity()};  ///< from `since` on, for the run
  std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
  bool pays = false;   ///< end as soon as a launch is expected to take longer than it saves the
                       ///< program of sweep.program_time
  bool doctor = true;  ///< examine the machine before the first measurement
  bool retry_failed = false;  ///< measure cases again that failed before
  bool strict = false;        ///< of a trial: refuse other settings than the table's
};

/// Hears about the progress of a session.
class Listener {
 public:
  Listener() = default;
  virtual ~Listener() = default;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  /// The probable rest of the measurements, and its time.
  virtual void expect(std::size_t count, Seconds time) = 0;
  /// A part of the whole begins: "p = 3, launch 2".
  virtual void begin_part(const std::string& part) = 0;
  /// The present case or step.
  virtual void at(const std::string& what) = 0;
  /// One more is measured, or has failed for good.
  virtual void advance() = 0;
  /// A line of its own for the user.
  virtual void say(const std::string& line) = 0;
};

/// The result of a run of a sweep.
struct SweepSummary {
  std::size_t measured = 0;
  std::size_t failed = 0;
  std::size_t failed_before = 0;  ///< in earlier runs of the same sweep, and not tried again
  std::size_t stored_before = 0;
  std::string ended{};                ///< why no more is worth measuring; empty: it ended before
  std::optional<std::string> over{};  ///< the reason of an early end, as a sentence
  bool too_short = false;             ///< the budget is too short for any measurement
  results::MachineId machine{};       ///< in the database
};

/// @throws UsageError when the request's times are not valid.
void check_patience(const SweepRequest& request);
/// Refuses a sweep that is seen to be impossible on a library before a job is started.
/// @throws UsageError as run_sweep() does.
void check_library_sweep(const plan::Sweep& sweep);

/// Measures those cases of the sweep that are worth it (session/agenda.hpp), and stores each
/// finished case at once. All refusals come before the database is touched. It ends within seconds,
/// and cleanly, once the budget is spent and on SIGINT, SIGTERM or SIGUSR1.
/// @throws UsageError when the sweep is not possible.
/// @throws Error when a launch fails without a result.
[[nodiscard]] SweepSummary run_sweep(const SweepRequest& request, Listener& listener);

/// The plan of run_sweep(), as lines for the user. Starts one process on each node, which reports
/// its library; measures and writes nothing.
/// @throws UsageError as run_sweep() does.
[[nodiscard]] std::vector<std::string> dry_run(const SweepRequest& request, Listener& listener);

/// The same as run_sweep() for a fixed list of launches.
/// @param request  without a text
[[nodiscard]] SweepSummary run_fixed(const SweepRequest& request, const plan::SweepPlan& plan,
                                     Listener& listener);

}  // namespace breakeven::session
