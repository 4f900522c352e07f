// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "core/units.hpp"
#include "harness/plan/sweep.hpp"

namespace breakeven::plan {

/// The cost of launches that run one after the other.
struct Cost {
  std::size_t launches = 0;
  std::size_t measurements = 0;
  Seconds time{};
  Seconds starts{};       ///< part of the time, to start and to end jobs
  double node_hours = 0;  ///< of the nodes that the launches use

  /// Adds a launch.
  /// @param start  part of the time that it took
  void add(const NodeLayout& layout, std::size_t measured, Seconds took, Seconds start = {});
};

/// The least time of one measurement of a case whose calls take `call`: its fewest repetitions, and
/// the time over which they are spread.
[[nodiscard]] Seconds least_cost(Seconds call, const protocol::MeasurePlan& measure);

/// The rounds in which the parts of an overlap (core/measurement.hpp) take turns.
inline constexpr int kOverlapRounds = 5;
/// Repetitions of each part in a round, and the time of all, within a case's budget if one of each
/// fits.
struct OverlapCost {
  int repetitions = 1;
  Seconds time{};
};
[[nodiscard]] OverlapCost overlap_cost(Seconds call, const protocol::MeasurePlan& measure);

/// "2304 measurements in 40 launches, 19 min 12 s", where starts are known " (40 s of it to start
/// jobs)", and on several nodes ", 1.3 node-hours"
[[nodiscard]] std::string to_text(const Cost& cost);

/// The work of one launch.
struct Load {
  bool started = false;
  std::size_t problems = 0;
  std::size_t measurements = 0;
  double rough = 0;  ///< seconds by the rough model
};
/// By number and layout of the launch.
using Loads = std::map<std::pair<int, NodeLayout>, Load>;

/// The probable time of launches: a rough model, corrected by the times of earlier launches at the
/// nearest p; the later ones count more.
class Forecast {
 public:
  /// @param cores  of a node; nodes that are namespaces of one computer share its cores
  explicit Forecast(const protocol::MeasurePlan& measure,
                    double cores = std::numeric_limits<double>::infinity())
      : measure_{measure}, cores_{cores} {}

  /// A launch begins: learns from the time until its job could measure.
  void add_start(const NodeLayout& layout, Seconds took);
  /// Learns from the time of cases of one p in it, with everything around them.
  /// @param rough  their time by the rough model
  void add(int procs, double rough, Seconds took);
  /// Learns from the time that the job then took to end, which counts as a part of its start.
  void add_end(int procs, Seconds took) { started_[procs].seconds += took.value; }
  void learn_cores(double cores) { cores_ = cores; }

  /// Of a node; infinite where they are not known.
  [[nodiscard]] double cores() const { return cores_; }

  /// Whether it knows more than the rough model.
  [[nodiscard]] bool has_measured() const { return !measured_.empty(); }
  /// Seconds by the rough model alone.
  [[nodiscard]] double rough(std::span<const Case> cases) const;
  /// One launch of cases of one p.
  [[nodiscard]] Seconds measuring(std::span<const Case> cases) const;
  /// Start and end of a job.
  [[nodiscard]] Seconds start(const NodeLayout& layout) const;
  /// The work of planned launches, or of a number of launches of each case.
  [[nodiscard]] Loads loads(const SweepPlan& plan) const;
  [[nodiscard]] Loads loads(const std::map<Case, int>& launches) const;
  /// The cost of all loads, or of those whole problems that a budget allows.
  [[nodiscard]] Cost of(const Loads& loads,
                        Seconds budget = {std::numeric_limits<double>::infinity()}) const;
  /// The upper limit: every measurement takes its whole budget, or its fewest repetitions where
  /// they take longer.
  [[nodiscard]] Cost most(const SweepPlan& plan) const;

 private:
  /// Seconds by the rough model, and seen.
  struct Seen {
    double rough = 0;
    double seconds = 0;
  };
  using ByProcs = std::map<int, Seen>;
  [[nodiscard]] static double corrected(double rough, const ByProcs& seen, int procs);
  [[nodiscard]] double rough_start(const NodeLayout& layout) const;
  [[nodiscard]] double turns(int procs_per_node) const;

  protocol::MeasurePlan measure_;
  double cores_;
  ByProcs measured_{};
  ByProcs started_{};
};

}  // namespace breakeven::plan
