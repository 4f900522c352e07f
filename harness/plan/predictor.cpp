// SPDX-License-Identifier: BSD-3-Clause
#include "harness/plan/predictor.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "libraries/counterpart.hpp"

namespace breakeven::plan {

namespace {

Model exact_model(const std::string& text) {
  Model model = parse_model(text);
  if (model.exact()) return model;
  throw UsageError(fmt::format("model '{}': a time that is computed has no noise", text));
}

}  // namespace

Predictor::Predictor(const std::string& text) : machine_{exact_model(text)} {}

std::optional<Prediction> Predictor::predict(const Case& what) {
  const std::optional<Case> ours = libraries::counterpart(what);
  if (!ours) return std::nullopt;
  return Prediction{.time = machine_.exact_time(*ours)};
}

}  // namespace breakeven::plan
