// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/prediction.hpp"
#include "sim/algorithm_times.hpp"
#include "sim/machine_file.hpp"

namespace breakeven::plan {

/// Predicts the times of cases on a machine that is a model. Remembers schedules and times.
class Predictor {
 public:
  /// The messages and local steps of all ranks up to which a case is simulated; see
  /// sim::AlgorithmTimes.
  static constexpr std::size_t kMostSteps = std::size_t{1} << 18U;

  explicit Predictor(sim::MachineDescription machine) : machine_{std::move(machine)} {}

  /// The time of an algorithm of ours, or of a pattern of messages.
  /// @return nothing where it is too much to simulate and no formula is known
  [[nodiscard]] std::optional<Seconds> time_of(const Case& what);

  /// The prediction of any candidate; nothing where its schedule is not known, as of native. On a
  /// fitted machine the interval follows from the times on 20 replicates, whose logarithms are
  /// taken for normally distributed, and from the fit's error.
  [[nodiscard]] std::optional<Prediction> predict(const Case& what);

  /// Whether time_of() has a time, at much less cost.
  [[nodiscard]] bool has_time(const Case& what);
  /// The reason why it has none.
  [[nodiscard]] static std::string too_much_text();

 private:
  [[nodiscard]] sim::AlgorithmTimes& algorithm_of(const Case& what);
  [[nodiscard]] const auto& machine_of(const Case& what) const {
    return machine_.of(what.collective, what.variant.algorithm());
  }
  [[nodiscard]] std::optional<Seconds> time_on(const sim::Machine& machine, const Case& what);

  sim::MachineDescription machine_;
  std::map<Case, sim::AlgorithmTimes> algorithms_{};  ///< by cases without their data
  std::map<Case, std::optional<Seconds>> times_{};
};

}  // namespace breakeven::plan
