// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/catalogue.hpp"
#include "sim/algorithm_times.hpp"
#include "sim/machine_file.hpp"

namespace breakeven::tuner {

/// The cases that a machine is asked to predict.
struct ForecastQuestion {
  Collective collective = Collective::allreduce;
  /// Exactly these; empty: all algorithms of the collective, without parameters and with those
  /// worth trying, of recursive_multiplying the best stages at each size.
  std::vector<kernels::Instance> variants{};
  kernels::Placement placement{};
  std::size_t most_steps = 0;  ///< as of sim::AlgorithmTimes
};

/// The 95 % interval between the quantiles of what each draw gives.
struct ForecastInterval {
  double low = 0;
  double high = 0;
};

/// The predicted time of a candidate.
struct Forecast {
  kernels::Instance variant{};
  sim::AlgorithmTime prediction{};
  std::optional<Seconds> stated{};  ///< by the source's formula
  /// Its possible times: on each replicate of the machine, or in each run; where the machine's
  /// error is known, times a random one. Draws of one cell go together. Empty where nothing varies.
  std::vector<double> draws_s{};
  bool as_fastest = false;  ///< its schedule is the fastest candidate's
};

/// One problem: p processes and a size.
struct ForecastCell {
  int procs = 1;
  Bytes message{};
  std::vector<Forecast> times{};        ///< the fastest first; never empty
  std::vector<std::string> left_out{};  ///< too much to simulate, and no formula

  [[nodiscard]] const Forecast& fastest() const { return times.front(); }
  /// The fastest with another schedule; null: none.
  [[nodiscard]] const Forecast* next() const;
  /// The share of draws in which the fastest is no slower than any with another schedule; nothing
  /// without draws.
  [[nodiscard]] std::optional<double> certainty() const;
};

/// The first time divided by the second; 1 where one process needs none for either.
[[nodiscard]] constexpr double ratio_of(double one_s, double other_s) {
  return one_s == other_s ? 1 : one_s / other_s;
}
[[nodiscard]] constexpr double ratio_of(Seconds one, Seconds other) {
  return ratio_of(one.value, other.value);
}

/// Of a candidate's time, in seconds.
[[nodiscard]] std::optional<ForecastInterval> interval_of(const Forecast& forecast);
/// Of one list of draws divided by another, draw by draw; nothing without draws.
[[nodiscard]] std::optional<ForecastInterval> interval_of_ratio(std::span<const double> one,
                                                                std::span<const double> other);
/// Of its time divided by another's, draw by draw.
[[nodiscard]] std::optional<ForecastInterval> interval_of_ratio(const Forecast& forecast,
                                                                const Forecast& other);

/// All begin together, undisturbed.
inline const std::array<sim::Conditions, 1> kOneRun{};

/// The cells of one p, by size.
/// @param runs  the disturbances of ranks, in one run or several; of several the median and their
///              times in place of those of the machine's replicates
/// @throws UsageError when nothing can be predicted
[[nodiscard]] std::vector<ForecastCell> forecast(const ForecastQuestion& question,
                                                 const sim::MachineDescription& machine, int procs,
                                                 std::span<const Bytes> sizes,
                                                 std::span<const sim::Conditions> runs = kOneRun);

/// Forecasts for other programs, format "breakeven-prediction-1", one line: see docs/files.md.
[[nodiscard]] std::string forecast_json(const ForecastQuestion& question,
                                        const sim::MachineDescription& machine,
                                        std::span<const ForecastCell> cells);

/// The parts of the question beyond the range that the machine was fitted to:
/// "p = 64 is beyond the 8 that ..."; nothing where all lies within.
[[nodiscard]] std::optional<std::string> beyond(const sim::Limits& limits, int procs,
                                                int procs_per_node, Bytes message);

}  // namespace breakeven::tuner
