// SPDX-License-Identifier: BSD-3-Clause
#include "harness/plan/predictor.hpp"

#include <cmath>
#include <vector>

#include "kernels/pattern.hpp"
#include "libraries/counterpart.hpp"
#include "stats/belief.hpp"
#include "stats/geometric_mean.hpp"

namespace breakeven::plan {

std::optional<Seconds> Predictor::time_on(const sim::Machine& machine, const Case& what) {
  const Case key = kernels::without_data(what);
  auto found = algorithms_.find(key);
  if (found == algorithms_.end()) {
    found =
        algorithms_
            .try_emplace(key, kernels::algorithm_of(what), kernels::problem_of(what), kMostSteps)
            .first;
  }
  kernels::CollectiveCall call = found->second.call_of(what.message, what.datatype);
  call.begins = kernels::begins_of(what, {});
  const auto time = found->second.at(call, machine);
  return time ? std::optional{time->time} : std::nullopt;
}

std::optional<Seconds> Predictor::time_of(const Case& what) {
  const auto known = times_.find(what);
  if (known != times_.end()) return known->second;
  const auto time = time_on(machine_.of(what.collective, what.algorithm).machine, what);
  return times_.emplace(what, time).first->second;
}

std::optional<Prediction> Predictor::predict(const Case& what) {
  constexpr std::size_t kReplicates = 20;
  const std::optional<Case> ours = libraries::counterpart(what);
  const std::optional<Seconds> time = ours ? time_of(*ours) : std::nullopt;
  if (!time) return std::nullopt;
  Prediction prediction{.time = *time};
  std::vector<double> logs;
  for (const sim::Machine& each : machine_.of(ours->collective, ours->algorithm).replicates) {
    if (logs.size() == kReplicates) break;
    logs.push_back(std::log(time_on(each, *ours)->value));
  }
  if (logs.size() < 2 || time->value == 0) return prediction;
  const stats::MeanLog mean = stats::mean_log(logs);
  const double deviation = mean.standard_error * std::sqrt(mean.count);
  const double factor = std::exp(stats::kDeviations * deviation);
  prediction.low = {time->value / factor};
  prediction.high = {time->value * factor};
  return prediction;
}

}  // namespace breakeven::plan
