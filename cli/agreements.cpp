// SPDX-License-Identifier: BSD-3-Clause
#include "cli/agreements.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "harness/plan/model.hpp"
#include "harness/plan/predictor.hpp"

namespace breakeven::cli {

tuner::Agreements agreements_of(const std::string& model, const Selection& from,
                                const std::vector<Measurement>& measurements) {
  const std::string text = plan::content_of(model);
  plan::Predictor predictor{plan::parse_exact_model(text)};
  Predictions predictions = from.store.predictions(from.id, text);
  for (const Measurement& each : measurements) {
    if (predictions.contains(each.what)) continue;
    if (const auto prediction = predictor.predict(each.what))
      predictions.emplace(each.what, *prediction);
  }
  tuner::Agreements found = tuner::agreements(predictions, tuner::contests_of(measurements));
  if (!found.cases.empty()) return found;
  throw UsageError(
      fmt::format("'{}' predicts nothing of what was measured on {}: no algorithm of ours was, nor "
                  "one that the library has, too",
                  model, from.machine.name));
}

}  // namespace breakeven::cli
