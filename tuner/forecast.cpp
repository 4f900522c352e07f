// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/forecast.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "kernels/allreduce/algorithms.hpp"
#include "kernels/allreduce/stages.hpp"
#include "sim/closed_form.hpp"
#include "stats/median.hpp"
#include "stats/quantile.hpp"

namespace breakeven::tuner {

namespace {

// Who is so much slower than the fastest is so on every replicate.
constexpr double kFarBehind = 2;
constexpr double kRounding = 1e-7;

/// The stages that are best at some size.
std::vector<std::string> best_stages(int procs, std::span<const Bytes> sizes,
                                     const sim::Machine& machine) {
  std::vector<std::string> found;
  for (const Bytes size : sizes) {
    const auto cost = sim::stage_cost(size, machine);
    if (!cost || cost->message.value <= 0) continue;
    const auto stages =
        kernels::allreduce::best_stages(procs, cost->round.value / cost->message.value);
    std::string text = "stages=" + stages.text();
    if (std::ranges::find(found, text) == found.end()) found.push_back(std::move(text));
  }
  return found;
}

std::vector<kernels::Variant> candidates(const ForecastQuestion& question,
                                         const sim::MachineDescription& machine, int procs,
                                         std::span<const Bytes> sizes) {
  if (!question.variants.empty()) return question.variants;
  std::vector<kernels::Variant> found;
  const auto add = [&](const kernels::Algorithm& algorithm, std::string_view text) {
    const kernels::Problem problem{.collective = question.collective,
                                   .procs = procs,
                                   .params = kernels::Params::parse(text),
                                   .placement = question.placement};
    if (kernels::runs(algorithm, problem)) found.push_back({&algorithm, problem.params});
  };
  for (const kernels::Algorithm* const algorithm : kernels::catalogue(question.collective)) {
    add(*algorithm, "");
    if (procs == 1) continue;
    const bool has_stages = algorithm == &kernels::allreduce::recursive_multiplying;
    const std::vector<std::string> texts =
        has_stages
            ? best_stages(procs, sizes, machine.of(question.collective, algorithm->name).machine)
            : kernels::variants_of(*algorithm, procs);
    for (const std::string& text : texts) add(*algorithm, text);
  }
  return found;
}

std::optional<ForecastInterval> interval_of(std::vector<double> values) {
  constexpr double kLow = 0.025;
  if (values.empty()) return std::nullopt;
  std::ranges::sort(values);
  return ForecastInterval{stats::quantile_of_sorted(values, kLow),
                          stats::quantile_of_sorted(values, 1 - kLow)};
}

/// A candidate with what all sizes share.
struct Prepared {
  kernels::Variant variant;
  const sim::FittedMachine& machine;
  sim::AlgorithmTimes times;
};

/// @return nothing where it is too much to simulate
std::optional<Forecast> forecast_of(Prepared& prepared, Bytes message,
                                    std::span<const sim::Conditions> runs) {
  const sim::Machine& machine = prepared.machine.machine;
  const kernels::CollectiveCall call = prepared.times.call_of(message);
  Forecast forecast{.variant = prepared.variant, .stated = prepared.times.stated(call, machine)};
  for (const sim::Conditions& run : runs) {
    const auto prediction = prepared.times.at(call, machine, run);
    if (!prediction) return std::nullopt;
    forecast.prediction = *prediction;
    if (runs.size() > 1) forecast.replicates_s.push_back(prediction->time.value);
  }
  if (runs.size() > 1) forecast.prediction.time = {stats::median(forecast.replicates_s)};
  return forecast;
}

void add_replicates(Forecast& forecast, Prepared& prepared, Bytes message,
                    std::span<const sim::Conditions> runs) {
  if (runs.size() > 1) return;
  const kernels::CollectiveCall call = prepared.times.call_of(message);
  for (const sim::Machine& replicate : prepared.machine.replicates) {
    forecast.replicates_s.push_back(prepared.times.at(call, replicate, runs.front())->time.value);
  }
}

ForecastCell cell_of(std::vector<Prepared>& candidates, int procs, Bytes message, bool all_near,
                     std::span<const sim::Conditions> runs) {
  ForecastCell cell{.procs = procs, .message = message};
  std::vector<std::pair<Forecast, Prepared*>> found;
  for (Prepared& each : candidates) {
    auto predicted = forecast_of(each, message, runs);
    if (!predicted) {
      cell.left_out.push_back(to_text(each.variant));
      continue;
    }
    found.emplace_back(std::move(*predicted), &each);
  }
  std::ranges::stable_sort(found, {},
                           [](const auto& each) { return each.first.prediction.time.value; });
  if (found.empty()) return cell;
  const double fastest = found.front().first.prediction.time.value;
  // Of equal ones the simulated first, then in the order of the catalogue: formulas round.
  const auto slower = std::ranges::find_if(found, [&](const auto& each) {
    return each.first.prediction.time.value > (1 + kRounding) * fastest;
  });
  std::sort(found.begin(), slower, [](const auto& one, const auto& other) {
    const auto key = [](const auto& each) {
      return std::pair{each.first.prediction.basis != sim::Basis::simulated, each.second};
    };
    return key(one) < key(other);
  });
  for (auto& [each, prepared] : found) {
    if (all_near || each.prediction.time.value <= kFarBehind * fastest) {
      add_replicates(each, *prepared, message, runs);
    }
  }
  for (auto& each : found) cell.times.push_back(std::move(each.first));
  return cell;
}

}  // namespace

std::optional<double> ForecastCell::certainty() const {
  const std::size_t count = fastest().replicates_s.size();
  if (count == 0) return std::nullopt;
  std::size_t won = 0;
  for (std::size_t i = 0; i < count; ++i) {
    won += std::ranges::all_of(times, [&](const Forecast& other) {
      return i >= other.replicates_s.size() || fastest().replicates_s[i] <= other.replicates_s[i];
    });
  }
  return static_cast<double>(won) / static_cast<double>(count);
}

std::optional<ForecastInterval> interval_of(const Forecast& forecast) {
  return interval_of(forecast.replicates_s);
}

std::optional<ForecastInterval> interval_of_ratio(const Forecast& forecast, const Forecast& other) {
  std::vector<double> ratios;
  const std::size_t count = std::min(forecast.replicates_s.size(), other.replicates_s.size());
  for (std::size_t i = 0; i < count; ++i) {
    ratios.push_back(forecast.replicates_s[i] / other.replicates_s[i]);
  }
  return interval_of(std::move(ratios));
}

std::vector<ForecastCell> forecast(const ForecastQuestion& question,
                                   const sim::MachineDescription& machine, int procs,
                                   std::span<const Bytes> sizes,
                                   std::span<const sim::Conditions> runs) {
  std::vector<Prepared> prepared;
  for (const kernels::Variant& each : candidates(question, machine, procs, sizes)) {
    const kernels::Problem problem{.collective = question.collective,
                                   .procs = procs,
                                   .params = each.params,
                                   .placement = question.placement};
    prepared.push_back({each, machine.of(question.collective, each.algorithm->name),
                        sim::AlgorithmTimes{*each.algorithm, problem, question.most_steps}});
  }
  std::vector<ForecastCell> cells;
  for (const Bytes message : sizes) {
    cells.push_back(cell_of(prepared, procs, message, !question.variants.empty(), runs));
    if (!cells.back().times.empty()) continue;
    throw UsageError(fmt::format(
        "{} at p = {} is more than the {} messages and local steps that are simulated, and no "
        "formula is known; name other algorithms or fewer processes",
        cells.back().left_out.empty() ? kCollectives.of(question.collective)
                                      : cells.back().left_out.front(),
        procs, question.most_steps));
  }
  return cells;
}

std::optional<std::string> beyond(const sim::Limits& limits, int procs, int procs_per_node,
                                  Bytes message) {
  if (limits.procs && procs > *limits.procs) {
    return fmt::format("p = {} is beyond p = {}", procs, *limits.procs);
  }
  if (limits.procs_per_node && procs_per_node > *limits.procs_per_node) {
    return fmt::format("{} processes per node are beyond {}", procs_per_node,
                       *limits.procs_per_node);
  }
  if (limits.message_bytes && message.value > *limits.message_bytes) {
    return fmt::format("{} is beyond {}", to_text(message), to_text(Bytes{*limits.message_bytes}));
  }
  return std::nullopt;
}

}  // namespace breakeven::tuner
