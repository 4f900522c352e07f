// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/fields.hpp"
#include "core/synchronisation.hpp"
#include "core/units.hpp"
#include "stats/stopping.hpp"

namespace breakeven::protocol {

/// The way in which a launch measures each of its cases.
struct MeasurePlan {
  SyncMethod sync = SyncMethod::dissemination;
  ClockSync clock_sync = ClockSync::none;
  Timer timer = Timer::monotonic;
  RunTime run_time = RunTime::local;
  stats::StopTarget target_ci{};  ///< precision of the median at which a case's sampling stops
  int repetitions = 1000;         ///< samples of a case at most
  int min_repetitions = 10;       ///< and at least, even when they overrun the budget
  Seconds min_time{0.02};      ///< least time over which a case's samples are spread, by calls that
                               ///< are not kept: machines have phases longer than many samples
  Seconds case_budget{0.5};    ///< time for one case's samples
  int batch = 20;              ///< samples that a candidate takes before the next one's turn; more
                               ///< once it has many, so that a case has a few dozen turns at most
  bool racing = true;          ///< end candidates early that are slower by far
  Seconds test_every{10e-6};   ///< of the computation that a call may hide, between two tests
  bool drop_outliers = false;  ///< leave samples beyond Tukey's fences out of medians; they are
                               ///< stored and counted either way
  friend bool operator==(const MeasurePlan&, const MeasurePlan&) = default;
};

constexpr auto fields(std::type_identity<MeasurePlan>) {
  using Plan = MeasurePlan;
  using Target = stats::StopTarget;
  return std::tuple{Field<&Plan::target_ci, &Target::threshold>{.name = "target_ci", .least = 0},
                    Field<&Plan::target_ci, &Target::rule>{.name = "stop_rule"},
                    Field<&Plan::target_ci, &Target::window>{.name = "stop_window", .least = 2},
                    Field<&Plan::repetitions>{.least = 1},
                    Field<&Plan::min_repetitions>{.least = 1},
                    Field<&Plan::min_time>{.least = 0},
                    Field<&Plan::case_budget>{.least = 0},
                    Field<&Plan::batch>{.least = 1},
                    Field<&Plan::racing>{},
                    Field<&Plan::test_every>{.least = 1e-7},
                    Field<&Plan::drop_outliers>{},
                    Field<&Plan::sync>{},
                    Field<&Plan::clock_sync>{},
                    Field<&Plan::timer>{},
                    Field<&Plan::run_time>{}};
}

}  // namespace breakeven::protocol
