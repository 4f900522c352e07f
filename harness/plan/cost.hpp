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

/// What launches that run one after the other take.
struct Cost {
  std::size_t launches = 0;
  std::size_t measurements = 0;
  Seconds time{};
  Seconds starts{};       ///< part of the time, to start and to end jobs
  double node_hours = 0;  ///< of the nodes that the launches use

  /// A launch.
  /// @param start  part of what it took
  void add(const NodeLayout& layout, std::size_t measured, Seconds took, Seconds start = {});
};

/// What one measurement of a case takes at least, whose calls take `call`: its fewest repetitions,
/// and the time that they are spread over.
[[nodiscard]] Seconds least_cost(Seconds call, const protocol::MeasurePlan& measure);

/// "2304 measurements in 40 launches, 19 min 12 s", where starts are known " (40 s of it to start
/// jobs)", and on several nodes ", 1.3 node-hours"
[[nodiscard]] std::string to_text(const Cost& cost);

/// What one launch has to do.
struct Load {
  bool started = false;
  std::size_t problems = 0;
  std::size_t measurements = 0;
  double rough = 0;  ///< seconds by the rough model
};
/// By number of the launch.
using Loads = std::map<std::pair<int, NodeLayout>, Load>;

/// How long launches probably take: a rough model, corrected by how long earlier ones took, those
/// at the nearest p, and the later the more.
class Forecast {
 public:
  /// @param cores  of a node; nodes that are namespaces of one computer share its cores
  explicit Forecast(const protocol::MeasurePlan& measure,
                    double cores = std::numeric_limits<double>::infinity())
      : measure_{measure}, cores_{cores} {}

  /// A launch begins: takes in how long its job took until it could measure.
  void add_start(const NodeLayout& layout, Seconds took);
  /// Takes in how long cases of one p took in it, with everything around them.
  /// @param rough  what the rough model says of them
  void add(int procs, double rough, Seconds took);
  /// Takes in how long the job took to end then: as long again as its start.
  void add_end(int procs, Seconds took) { started_[procs].seconds += took.value; }
  void learn_cores(double cores) { cores_ = cores; }

  /// Whether there is more than the rough model.
  [[nodiscard]] bool has_measured() const { return !measured_.empty(); }
  /// Seconds by the rough model alone.
  [[nodiscard]] double rough(std::span<const Case> cases) const;
  /// One launch of cases of one p.
  [[nodiscard]] Seconds measuring(std::span<const Case> cases) const;
  /// Start and end of a job.
  [[nodiscard]] Seconds start(const NodeLayout& layout) const;
  /// What planned launches have to do, or a number of launches of each case.
  [[nodiscard]] Loads loads(const SweepPlan& plan) const;
  [[nodiscard]] Loads loads(const std::map<Case, int>& launches) const;
  /// All of it, or those whole problems that a budget allows.
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
