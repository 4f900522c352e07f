// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "core/launch.hpp"
#include "core/measurement.hpp"
#include "core/units.hpp"
#include "stats/belief.hpp"
#include "stats/median.hpp"

// The records of a results database, in addition to core's cases and launches.

namespace breakeven::results {

/// Row ids of a store; strong, so that a launch is never taken for a machine.
enum class MachineId : std::int64_t {};
enum class LaunchId : std::int64_t {};

/// Statistics of a result.
struct Summary {
  std::optional<Seconds> median{};  ///< of the launch's run time; not given: of `local`
  Seconds low{};                    ///< its interval in this launch
  Seconds high{};
  std::optional<int> outliers{};   ///< samples beyond Tukey's fences; kept
  std::optional<Seconds> ended{};  ///< when, after the launch's start
};

/// A measurement with all that is stored but its samples.
struct StoredMeasurement {
  Measurement measurement{};
  std::optional<Seconds> global_median{};
  std::optional<RankMeans> rank_means{};
  int warmups = 0;
  int invalid = 0;
  std::optional<int> outliers{};
  std::string stopped{};  ///< empty where it is not known
  std::optional<Overlap> overlap{};
};

/// The samples of a case in one launch, in the order measured.
struct CaseSamples {
  Case what{};
  LaunchId launch{};
  int repeat = 0;
  std::vector<Seconds> local{};
  std::vector<Seconds> global{};  ///< as many as `local`, or none
};

/// A launch that was begun.
struct StoredLaunch {
  Launch launch{};
  std::string started_at{};  ///< UTC, ISO 8601
  LaunchId id{};
  std::optional<Seconds> start{};   ///< until its job could measure
  std::optional<Seconds> lasted{};  ///< from then on, where it measured all
  double cores = 0;  ///< that a node's processes share; 0: not known, or each has one
};

/// Conclusions about a case from all measurements of its machine, for readers of the database.
struct CaseEstimate {
  Case what{};
  stats::Estimate median{};       ///< over the launches, in seconds
  Seconds time{};                 ///< in the problem's median launch
  std::optional<Seconds> low{};   ///< its 95 % interval; nothing where the problem has one launch
  std::optional<Seconds> high{};  ///< the same
  std::optional<stats::RatioInterval> speedup{};  ///< nothing without native
  bool speedup_has_interval = false;              ///< not where each candidate has one launch
  int paired_launches = 0;            ///< that measured native too; all launches without native
  int place = 0;                      ///< 1: the fastest of its problem
  std::optional<double> near_best{};  ///< of a table's choice: its probability to be near the best
};

/// A (case, repeat) that could not be measured.
struct Failure {
  Case what{};
  int repeat = 0;
  std::string reason{};
};

}  // namespace breakeven::results
