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

/// A sweep and how this run shall go about it.
struct SweepRequest {
  plan::Sweep sweep{};
  std::string text{};  ///< the sweep as `status` shall read it back; empty: it is none of these
  std::string database{};
  launch::LauncherOptions launcher{};
  Seconds patience{60};  ///< silence after which a job counts as hung
  Seconds budget{std::numeric_limits<double>::infinity()};  ///< from `since` on, for the run
  std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
  bool doctor = true;         ///< look the machine over before measuring
  bool retry_failed = false;  ///< measure again what failed before
  bool strict = false;        ///< of a trial: refuse other settings than the table's
};

/// Hears how far a session is.
class Listener {
 public:
  Listener() = default;
  virtual ~Listener() = default;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  /// The measurements that probably remain, and how long they take.
  virtual void expect(std::size_t count, Seconds time) = 0;
  /// A part of the whole begins: "p = 3, launch 2".
  virtual void begin_part(const std::string& part) = 0;
  /// What is being measured now.
  virtual void at(const std::string& what) = 0;
  /// One more is measured, or has failed for good.
  virtual void advance() = 0;
  /// A line of its own for the user.
  virtual void say(const std::string& line) = 0;
};

/// What a run of a sweep came to.
struct SweepSummary {
  std::size_t measured = 0;
  std::size_t failed = 0;
  std::size_t failed_before = 0;  ///< in earlier runs of the same sweep, and not tried again
  std::size_t stored_before = 0;
  std::string ended{};                ///< why nothing more is worth measuring; empty: it is over
  std::optional<std::string> over{};  ///< why it ended before all was measured, as a sentence
  bool too_short = false;             ///< because nothing fits into the budget
  results::MachineId machine{};       ///< in the database
};

/// @throws UsageError when the request's times are none.
void check_patience(const SweepRequest& request);
/// Refuses what a library can be seen not to measure before a job is started.
/// @throws UsageError as run_sweep() does.
void check_library_sweep(const plan::Sweep& sweep);

/// Measures what of the sweep is worth measuring (session/agenda.hpp), and stores each case as it
/// is finished. Everything that can be refused is refused before the database is touched. Ends
/// within seconds, and cleanly, once the budget is spent and on SIGINT, SIGTERM or SIGUSR1.
/// @throws UsageError when the sweep is not possible as asked.
/// @throws Error when a launch fails without getting anywhere.
[[nodiscard]] SweepSummary run_sweep(const SweepRequest& request, Listener& listener);

/// What run_sweep() would do, as lines for the user. Starts one process on each node, which says
/// what the library is; measures and writes nothing.
/// @throws UsageError as run_sweep() does.
[[nodiscard]] std::vector<std::string> dry_run(const SweepRequest& request, Listener& listener);

/// The same for launches that are known beforehand, all of them.
/// @param request  without a text
[[nodiscard]] SweepSummary run_fixed(const SweepRequest& request, const plan::SweepPlan& plan,
                                     Listener& listener);

}  // namespace breakeven::session
