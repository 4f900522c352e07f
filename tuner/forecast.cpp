// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/forecast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "core/error.hpp"
#include "kernels/allreduce/algorithms.hpp"
#include "kernels/allreduce/stages.hpp"
#include "kernels/equal.hpp"
#include "kernels/fold.hpp"
#include "sim/closed_form.hpp"
#include "stats/median.hpp"
#include "stats/quantile.hpp"
#include "stats/random.hpp"

namespace breakeven::tuner {

namespace {

// A candidate that is slower than the fastest by this factor is slower on every replicate.
constexpr double kFarBehind = 2;
constexpr std::size_t kErrors = 1000;  // draws
constexpr double kNearlyEqual = 0.1;   // logarithms: only such times may be of equal schedules
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

std::vector<kernels::Instance> candidates(const ForecastQuestion& question,
                                          const sim::MachineDescription& machine, int procs,
                                          std::span<const Bytes> sizes) {
  if (!question.variants.empty()) return question.variants;
  std::vector<kernels::Instance> found;
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
  kernels::Instance variant;
  const sim::FittedMachine& machine;
  sim::AlgorithmTimes times;
  Seconds first{};                   ///< of the first size; none where it is not predicted
  kernels::Instance same_as{};       ///< the first of those that have its schedules
  std::vector<double> own_errors{};  ///< standard normal, as those that all candidates share
};

/// The common part of the cells of one p.
struct Asked {
  const ForecastQuestion& question;
  const sim::MachineDescription& machine;
  int procs = 1;
  std::span<const sim::Conditions> runs{};
  std::vector<double> shared_errors{};
};

std::vector<double> standard_normals(std::uint64_t seed) {
  std::mt19937_64 random{seed};
  std::vector<double> deviates(kErrors);
  for (double& each : deviates) each = stats::standard_normal(random);
  return deviates;
}

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
    if (runs.size() > 1) forecast.draws_s.push_back(prediction->time.value);
  }
  if (runs.size() > 1) forecast.prediction.time = {stats::median(forecast.draws_s)};
  return forecast;
}

void add_replicates(Forecast& forecast, Prepared& prepared, Bytes message,
                    std::span<const sim::Conditions> runs) {
  if (runs.size() > 1) return;
  const kernels::CollectiveCall call = prepared.times.call_of(message);
  for (const sim::Machine& replicate : prepared.machine.replicates) {
    forecast.draws_s.push_back(prepared.times.at(call, replicate, runs.front())->time.value);
  }
}

/// The messages and local steps that are simulated. On a machine of two levels neither two ranks
/// nor most formulas stand for all: there those of algorithms of lg p rounds are, whatever p is.
std::size_t most_steps(const ForecastQuestion& question, const sim::Machine& machine, int procs) {
  constexpr std::size_t kOfARound = 12;
  if (!std::holds_alternative<sim::TwoLevel>(machine.ranges.front().parameters)) {
    return question.most_steps;
  }
  const auto rounds = static_cast<std::size_t>(kernels::ceil_log2(procs));
  return std::max(question.most_steps, kOfARound * rounds * static_cast<std::size_t>(procs));
}

kernels::Problem problem_of(const Asked& asked, const kernels::Params& params) {
  return {.collective = asked.question.collective,
          .procs = asked.procs,
          .params = params,
          .placement = asked.question.placement};
}

/// Equal schedules take the same time, though their parameters may have been fitted apart: none is
/// ahead of another, and they are wrong by the same.
void find_equal(std::vector<Prepared>& candidates, const Asked& asked) {
  kernels::EqualSchedules schedules{problem_of(asked, {})};
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    Prepared& each = candidates[i];
    const auto first = std::ranges::find_if(candidates, [&](const Prepared& other) {
      return &other == &each ||
             (std::abs(std::log(each.first.value / other.first.value)) < kNearlyEqual &&
              schedules.equal(other.variant, each.variant));
    });
    each.same_as = first->variant;
    if (asked.shared_errors.empty()) continue;
    each.own_errors = &*first == &each ? standard_normals(i + 1) : first->own_errors;
  }
}

/// Draws times an error that the model may have.
void add_errors(Forecast& forecast, const Prepared& prepared, Bytes message, const Asked& asked) {
  if (prepared.own_errors.empty()) return;
  const double beyond = asked.machine.limits.doublings_beyond(
      asked.procs, asked.question.placement.procs_per_node, message);
  const auto error =
      asked.machine.error_of(asked.question.collective, prepared.same_as.algorithm->name,
                             prepared.same_as.params.text(), beyond);
  if (!error) return;
  const std::vector<double> times = forecast.draws_s.empty()
                                        ? std::vector{forecast.prediction.time.value}
                                        : std::move(forecast.draws_s);
  forecast.draws_s.clear();
  for (std::size_t i = 0; i < kErrors; ++i) {
    const double log_error =
        error->shared * asked.shared_errors[i] + error->own * prepared.own_errors[i];
    forecast.draws_s.push_back(times[i % times.size()] * std::exp(log_error));
  }
}

ForecastCell cell_of(std::vector<Prepared>& candidates, Bytes message, const Asked& asked) {
  ForecastCell cell{.procs = asked.procs, .message = message};
  const bool first_size = candidates.front().same_as.algorithm == nullptr;
  std::vector<std::pair<Forecast, Prepared*>> found;
  for (Prepared& each : candidates) {
    auto predicted = forecast_of(each, message, asked.runs);
    if (!predicted) {
      cell.left_out.push_back(to_text(each.variant));
      continue;
    }
    if (first_size) each.first = predicted->prediction.time;
    found.emplace_back(std::move(*predicted), &each);
  }
  if (first_size) find_equal(candidates, asked);
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
    const bool named = !asked.question.variants.empty();
    if (named || each.prediction.time.value <= kFarBehind * fastest) {
      add_replicates(each, *prepared, message, asked.runs);
    }
    add_errors(each, *prepared, message, asked);
    each.as_fastest = prepared->same_as == found.front().second->same_as;
  }
  for (auto& each : found) cell.times.push_back(std::move(each.first));
  return cell;
}

}  // namespace

const Forecast* ForecastCell::next() const {
  const auto next = std::ranges::find_if_not(times, &Forecast::as_fastest);
  return next == times.end() ? nullptr : &*next;
}

std::optional<double> ForecastCell::certainty() const {
  const std::size_t count = fastest().draws_s.size();
  if (count == 0) return std::nullopt;
  std::size_t won = 0;
  for (std::size_t i = 0; i < count; ++i) {
    won += std::ranges::all_of(times, [&](const Forecast& other) {
      return other.as_fastest || i >= other.draws_s.size() ||
             fastest().draws_s[i] <= other.draws_s[i];
    });
  }
  return static_cast<double>(won) / static_cast<double>(count);
}

std::optional<ForecastInterval> interval_of(const Forecast& forecast) {
  return interval_of(forecast.draws_s);
}

std::optional<ForecastInterval> interval_of_ratio(std::span<const double> one,
                                                  std::span<const double> other) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i)
    ratios.push_back(ratio_of(one[i], other[i]));
  return interval_of(std::move(ratios));
}

std::optional<ForecastInterval> interval_of_ratio(const Forecast& forecast, const Forecast& other) {
  return interval_of_ratio(forecast.draws_s, other.draws_s);
}

std::vector<ForecastCell> forecast(const ForecastQuestion& question,
                                   const sim::MachineDescription& machine, int procs,
                                   std::span<const Bytes> sizes,
                                   std::span<const sim::Conditions> runs) {
  Asked asked{.question = question, .machine = machine, .procs = procs, .runs = runs};
  if (!machine.errors.empty()) asked.shared_errors = standard_normals(0);
  std::vector<Prepared> prepared;
  std::size_t most = 0;
  for (const kernels::Instance& each : candidates(question, machine, procs, sizes)) {
    const sim::FittedMachine& fitted = machine.of(question.collective, each.algorithm->name);
    most = most_steps(question, fitted.machine, procs);
    prepared.push_back(
        {each, fitted, sim::AlgorithmTimes{*each.algorithm, problem_of(asked, each.params), most}});
  }
  std::vector<ForecastCell> cells;
  for (const Bytes message : sizes) {
    cells.push_back(cell_of(prepared, message, asked));
    if (!cells.back().times.empty()) continue;
    throw UsageError(fmt::format(
        "{} at p = {} is more than the {} messages and local steps that are simulated, and no "
        "formula is known; name other algorithms or fewer processes",
        cells.back().left_out.empty() ? kCollectives.of(question.collective)
                                      : cells.back().left_out.front(),
        procs, most));
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
