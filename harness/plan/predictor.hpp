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
  /// @param text  a model, "postal:alpha=1e-6,beta=1e-9,gamma=1e-10", or what a machine file holds
  /// @throws UsageError naming what of it is wrong and what is possible; noise is wrong, too.
  explicit Predictor(const std::string& text);

  /// Nothing of candidates whose schedules are not known, such as native. The interval of a fitted
  /// machine is that of the times on 20 of its replicates, whose logarithms are taken for normally
  /// distributed.
  [[nodiscard]] std::optional<Prediction> predict(const Case& what);

  [[nodiscard]] const sim::MachineDescription& machine() const { return description_; }

 private:
  sim::MachineDescription description_;
  ModelMachine machine_;
};

/// The text of a predictor that a user names: a model as it is, of "FILE.toml" what it holds.
/// @throws UsageError naming the file's line and what is possible.
[[nodiscard]] std::string predictor_text(const std::string& asked);

}  // namespace breakeven::plan
