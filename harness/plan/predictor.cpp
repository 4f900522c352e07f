// SPDX-License-Identifier: BSD-3-Clause
#include "harness/plan/predictor.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "kernels/pattern.hpp"
#include "libraries/counterpart.hpp"
#include "stats/belief.hpp"
#include "stats/geometric_mean.hpp"

namespace breakeven::plan {

namespace {

kernels::CollectiveCall call_of(const sim::AlgorithmTimes& times, const Case& what) {
  kernels::CollectiveCall call = times.call_of(what.message, what.datatype);
  call.begins = kernels::begins_of(what, {});
  return call;
}

}  // namespace

sim::AlgorithmTimes& Predictor::algorithm_of(const Case& what) {
  const Case key = kernels::without_data(what);
  const auto found = algorithms_.find(key);
  if (found != algorithms_.end()) return found->second;
  return algorithms_
      .try_emplace(key, kernels::algorithm_of(what), kernels::problem_of(what), kMostSteps)
      .first->second;
}

std::optional<Seconds> Predictor::time_on(const sim::Machine& machine, const Case& what) {
  sim::AlgorithmTimes& times = algorithm_of(what);
  const auto time = times.at(call_of(times, what), machine);
  return time ? std::optional{time->time} : std::nullopt;
}

bool Predictor::has_time(const Case& what) {
  sim::AlgorithmTimes& times = algorithm_of(what);
  return times.has_time(call_of(times, what), machine_of(what).machine);
}

std::string Predictor::too_much_text() {
  return fmt::format(
      "more than the {} messages and local steps that are simulated, and no formula is known",
      kMostSteps);
}

std::optional<Seconds> Predictor::time_of(const Case& what) {
  const auto known = times_.find(what);
  if (known != times_.end()) return known->second;
  const auto time = time_on(machine_of(what).machine, what);
  return times_.emplace(what, time).first->second;
}

std::optional<Prediction> Predictor::predict(const Case& what) {
  constexpr std::size_t kReplicates = 20;
  // No model knows communicators that share nodes.
  if (what.form != CallForm::blocking || what.comms_per_node > 1) return std::nullopt;
  const std::optional<Case> ours = libraries::counterpart(what);
  const std::optional<Seconds> time = ours ? time_of(*ours) : std::nullopt;
  if (!time) return std::nullopt;
  Prediction prediction{.time = *time};
  std::vector<double> logs;
  for (const sim::Machine& each : machine_of(*ours).replicates) {
    if (logs.size() == kReplicates) break;
    logs.push_back(std::log(time_on(each, *ours)->value));
  }
  const double beyond =
      machine_.limits.doublings_beyond(what.procs, what.procs_per_node, what.message);
  const auto error = machine_.error_of(ours->collective, ours->variant.algorithm(),
                                       ours->variant.params(), beyond);
  if ((logs.size() < 2 && !error) || time->value == 0) return prediction;
  double deviation = error ? error->deviation() : 0;
  if (logs.size() > 1) {
    const stats::MeanLog mean = stats::mean_log(logs);
    deviation = std::hypot(deviation, mean.standard_error * std::sqrt(mean.count));
  }
  const double factor = std::exp(stats::kDeviations * deviation);
  prediction.low = {time->value / factor};
  prediction.high = {time->value * factor};
  return prediction;
}

}  // namespace breakeven::plan
