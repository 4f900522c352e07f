// SPDX-License-Identifier: BSD-3-Clause
#include "harness/plan/predictor.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "core/error.hpp"
#include "libraries/counterpart.hpp"
#include "stats/belief.hpp"

namespace breakeven::plan {

namespace {

constexpr std::size_t kReplicates = 20;

Model exact_model(const std::string& text) {
  Model model;
  if (text.find('\n') != std::string::npos) {
    model.machine = sim::parse_machine(text, "the machine file");
  } else {
    model = parse_model(text);
  }
  if (model.exact()) return model;
  throw UsageError(fmt::format("model '{}': a time that is computed has no noise", text));
}

double deviation(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double each : values) squares += (each - mean) * (each - mean);
  return std::sqrt(squares / (count - 1));
}

}  // namespace

Predictor::Predictor(const std::string& text)
    : description_{exact_model(text).machine}, machine_{Model{.machine = description_}} {}

std::optional<Prediction> Predictor::predict(const Case& what) {
  const std::optional<Case> ours = libraries::counterpart(what);
  if (!ours) return std::nullopt;
  Prediction prediction{.time = machine_.exact_time(*ours)};
  std::vector<double> logs;
  for (const sim::Machine& each : description_.of(ours->collective, ours->algorithm).replicates) {
    if (logs.size() == kReplicates) break;
    logs.push_back(std::log(machine_.time_on(each, *ours).value));
  }
  if (logs.size() < 2 || prediction.time.value == 0) return prediction;
  const double factor = std::exp(stats::kDeviations * deviation(logs));
  prediction.low = {prediction.time.value / factor};
  prediction.high = {prediction.time.value * factor};
  return prediction;
}

std::string predictor_text(const std::string& asked) {
  return asked.ends_with(".toml") ? sim::to_toml(sim::read_machine_file(asked)) : asked;
}

}  // namespace breakeven::plan
