// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "core/measurement.hpp"
#include "core/units.hpp"

// What goes into a results database and comes out of it, beside core's cases and launches.

namespace breakeven {

/// Row ids of a store; strong, so that a launch is never taken for a machine.
enum class MachineId : std::int64_t {};
enum class LaunchId : std::int64_t {};

/// What one launch found out about one case.
struct Sampled {
  /// The slowest rank's own duration of each repetition, in the order measured.
  std::span<const Seconds> local{};
  /// Of the same repetitions, from the first rank's start to the last one's end on the global
  /// clock; empty without one.
  std::span<const Seconds> global{};
  std::optional<Seconds> median{};  ///< of the launch's run time; not given: of `local`
  Seconds low{};                    ///< its interval in this launch
  Seconds high{};
  int warmups = 0;                ///< calls before samples, not kept
  int invalid = 0;                ///< repetitions that began or ended too late, not kept
  std::optional<int> outliers{};  ///< samples beyond Tukey's fences; kept
  std::string stopped{};          ///< why sampling ended: precise, repetitions, budget or slower
  std::optional<RankMeans> rank_means{};
  std::optional<Seconds> ended{};  ///< when, after the launch's start
};

/// A measurement with all that is stored of it but its samples.
struct Recorded {
  Measurement measurement{};
  std::optional<Seconds> global_median{};
  std::optional<RankMeans> rank_means{};
  int warmups = 0;
  int invalid = 0;
  std::optional<int> outliers{};
  std::string stopped{};  ///< empty where it is not known
  std::optional<Seconds> ended{};
};

/// The samples of a case in one launch, in the order measured.
struct Samples {
  Case what{};
  LaunchId launch{};
  int repeat = 0;
  std::vector<Seconds> local{};
  std::vector<Seconds> global{};  ///< as many as `local`, or none
};

/// Where one (case, repeat) stands.
struct Stored {
  Case what{};
  int repeat = 0;
  std::string failure{};  ///< empty when it was measured
};

/// What was found when a machine was looked over.
struct Inspection {
  std::string inspected_at{};  ///< UTC, ISO 8601
  std::string report{};        ///< JSON object
};

}  // namespace breakeven
