// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "core/prediction.hpp"
#include "harness/plan/model_machine.hpp"

namespace breakeven::plan {

/// Predicts what cases take on a machine that a model describes.
class Predictor {
 public:
  /// @param text  a model: "postal:alpha=1e-6,beta=1e-9,gamma=1e-10"
  /// @throws UsageError naming what of it is wrong and what is possible; noise is, too.
  explicit Predictor(const std::string& text);

  /// Nothing of candidates whose schedules are not known, such as native.
  [[nodiscard]] std::optional<Prediction> predict(const Case& what);

 private:
  ModelMachine machine_;
};

}  // namespace breakeven::plan
