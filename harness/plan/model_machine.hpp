// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "core/case.hpp"
#include "core/units.hpp"
#include "harness/plan/model.hpp"
#include "harness/plan/predictor.hpp"
#include "harness/protocol/protocol.hpp"

namespace breakeven::plan {

/// Measures cases on a model.
class ModelMachine {
 public:
  explicit ModelMachine(const Model& model) : model_{model}, predictor_{model.machine} {}

  /// The model's time, without noise; see Predictor::time_of.
  [[nodiscard]] std::optional<Seconds> exact_time(const Case& what) {
    return predictor_.time_of(what);
  }

  /// `repetitions` samples of a launch, in seconds. The same model, case and repeat give the same
  /// samples, in any order of calls.
  /// @pre its exact time is known
  [[nodiscard]] std::vector<double> samples(const Case& what, int repeat, int repetitions);

  /// Measures the candidates of one problem as a worker does, for as long as the plan wants.
  /// @pre their exact times are known
  [[nodiscard]] std::vector<protocol::CaseDone> measure(const protocol::MeasureRequest& request,
                                                        int repeat);

 private:
  Model model_;
  Predictor predictor_;
};

}  // namespace breakeven::plan
