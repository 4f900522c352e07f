// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <limits>
#include <map>
#include <span>
#include <string>

#include "core/units.hpp"
#include "harness/plan/sweep.hpp"

namespace breakeven::plan {

/// What launches that run one after the other take.
struct Cost {
  std::size_t launches = 0;
  std::size_t measurements = 0;
  Seconds time{};
  double node_hours = 0;  ///< of the nodes that the launches use

  /// A launch.
  void add(const NodeLayout& layout, std::size_t measured, Seconds took);
};

/// What one measurement of a case takes at least, whose calls take `call`: its fewest repetitions,
/// and the time that they are spread over.
[[nodiscard]] Seconds least_cost(Seconds call, const protocol::MeasurePlan& measure);

/// The upper limit: every measurement takes its whole budget. Starting jobs comes on top.
[[nodiscard]] Cost most_cost(const SweepPlan& plan, const protocol::MeasurePlan& measure);

/// "2304 measurements in 40 launches, 19 min 12 s", and on several nodes ", 1.3 node-hours"
[[nodiscard]] std::string to_text(const Cost& cost);

/// How long launches probably take: a rough model, corrected by how long earlier ones took.
class Forecast {
 public:
  /// @param slots  processes of a node that have a core each
  explicit Forecast(const protocol::MeasurePlan& measure,
                    int slots = std::numeric_limits<int>::max())
      : measure_{measure}, slots_{slots} {}

  /// Takes in how long cases of one p took in a launch, with everything around them.
  void add(std::span<const Case> cases, Seconds took);
  /// Takes in how long a job took until it could measure.
  void add_start(int procs, Seconds took);

  /// One launch of cases of one p.
  [[nodiscard]] Seconds measuring(std::span<const Case> cases) const;
  [[nodiscard]] Seconds start(int procs) const;
  /// A number of launches of each case, or those whole problems of them that a budget allows.
  [[nodiscard]] Cost of(const std::map<Case, int>& launches,
                        Seconds budget = {std::numeric_limits<double>::infinity()}) const;

 private:
  /// Seconds by the rough model, and seen.
  struct Seen {
    double rough = 0;
    double seconds = 0;
  };
  using ByProcs = std::map<int, Seen>;
  [[nodiscard]] static double corrected(double rough, const ByProcs& seen, int procs);
  [[nodiscard]] double rough(std::span<const Case> cases) const;

  protocol::MeasurePlan measure_;
  int slots_;
  ByProcs measured_{};
  ByProcs started_{};
};

}  // namespace breakeven::plan
