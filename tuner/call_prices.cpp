// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/call_prices.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "libraries/counterpart.hpp"
#include "stats/belief.hpp"
#include "stats/random.hpp"

namespace breakeven::tuner {

namespace {

constexpr std::size_t kMostSteps = std::size_t{1} << 20U;

/// The algorithm of ours with the messages of a call's variant; nothing where there is none.
std::optional<kernels::Instance> instance_of(const tables::Use& use, const Variant& variant) {
  const std::optional<Case> ours =
      libraries::counterpart(with_variant(tables::problem_of(use), variant));
  if (!ours) return std::nullopt;
  return kernels::find_instance(ours->collective, ours->variant);
}

const Variant& that_ran(const tables::Use& use) {
  return use.variant.is<Native>() ? use.native : use.variant;
}

/// The variant by the tables; where they leave the call to the library, the one that ran.
Variant that_would_run(const tables::Use& use, const ProgramChoices& choices) {
  if (choices.all == nullptr) return that_ran(use);
  Variant choice = tables::choice_of(*choices.all, choices.library, tables::problem_of(use));
  return choice.is<Native>() ? that_ran(use) : choice;
}

const Forecast* find(const ForecastCell& cell, const kernels::Instance& variant) {
  const auto found = std::ranges::find(cell.times, variant, &Forecast::variant);
  return found == cell.times.end() ? nullptr : &*found;
}

Cost cost_of(const Forecast& forecast) {
  return {forecast.prediction.time.value, forecast.draws_s, forecast.variant};
}

/// A cost that was measured, by the ratio of two that were predicted.
Cost scaled(double measured_s, const Cost& cost, const Cost& by) {
  // On some replicate a message may take no time.
  const auto times = [&](double one, double other) {
    return other > 0 ? measured_s * one / other : measured_s;
  };
  Cost result{times(cost.time_s, by.time_s), {}, cost.messages};
  for (std::size_t i = 0; i < std::max(cost.draws_s.size(), by.draws_s.size()); ++i)
    result.draws_s.push_back(times(cost.draw(i), by.draw(i)));
  return result;
}

Cost sped_up(Cost cost, const tables::Speedup& speedup, std::uint64_t seed) {
  std::mt19937_64 random{seed};
  const double deviation = std::log(speedup.high / speedup.low) / (2 * stats::kDeviations);
  cost.draws_s.resize(kDraws);
  for (double& each : cost.draws_s)
    each = cost.time_s / speedup.ratio * std::exp(deviation * stats::standard_normal(random));
  cost.time_s /= speedup.ratio;
  return cost;
}

}  // namespace

/// The gain of a choice over native as the table measured it for calls of the use; null: not.
const tables::Speedup* CallPrices::measured_gain(const tables::Use& use,
                                                 const Variant& choice) const {
  if (!here() || !choices_.measured_here || !use.variant.is<Native>()) return nullptr;
  for (const tables::Table* const table : {choices_.all, choices_.library}) {
    if (table == nullptr || choice.is<Native>()) continue;
    const tables::Rule* const rule = table->find_rule(tables::problem_of(use));
    if (rule == nullptr || rule->what.variant != choice || layout_of(rule->what) != use.layout)
      continue;
    for (const tables::SizeGain& gain : rule->gains) {
      if (power_below(gain.message) == use.message) return &gain.speedup;
    }
  }
  return nullptr;
}

Priced CallPrices::of(const tables::Use& profiled, const tables::Amount& amount,
                      std::uint64_t seed) const {
  Priced priced{.profiled = profiled,
                .calls = {.use = profiled, .calls = amount.calls, .profiled = {amount.seconds}}};
  tables::Use& use = priced.calls.use;
  if (grown_ && use.layout.procs == profile_.procs) use.layout = *grown_;
  priced.calls.now = priced.calls.then = that_ran(use);
  const Variant choice = that_would_run(use, choices_);
  const std::optional<Costs> costs = predicted(use, choice);
  priced.now = measured(profiled, amount);
  if (costs) {
    const bool grown = use.layout != profiled.layout;
    if (!here()) priced.now = costs->now;
    if (here() && grown) priced.now = at_growth(priced.now.time_s, costs->now, profiled);
    priced.now.messages = costs->now.messages;
  }
  priced.then = priced.now;
  const tables::Speedup* const gain = measured_gain(use, choice);
  // Tables are measured with buffers apart, and models have no copies: in place one algorithm may
  // save a copy that another makes.
  const bool unlike = here() && use.in_place;
  priced.calls.known = !unlike && (costs || gain != nullptr);
  const bool same = choices_.all != nullptr && choice == priced.calls.now;
  if (!priced.calls.known || same) return priced;
  if (gain != nullptr) {
    priced.then = sped_up(priced.now, *gain, seed);
  } else {
    priced.then = here() ? scaled(priced.now.time_s, costs->then, costs->now) : costs->then;
  }
  if (costs) priced.then.messages = costs->then.messages;
  priced.calls.then = choices_.all != nullptr ? choice : kernels::variant_of(priced.then.messages);
  return priced;
}

/// Nothing where one's messages are not known.
std::optional<CallPrices::Costs> CallPrices::predicted(const tables::Use& use,
                                                       const Variant& choice) const {
  const auto ran = instance_of(use, that_ran(use));
  const auto chosen = instance_of(use, choice);
  if (!ran || !chosen) return std::nullopt;
  ForecastQuestion question{
      .collective = use.collective,
      .placement = {.procs_per_node = use.layout.procs_per_node, .mapping = use.layout.mapping},
      .most_steps = kMostSteps};
  if (choices_.all != nullptr) question.variants = {*ran, *chosen};
  const ForecastCell cell = forecast(question, machine_, use.layout.procs, {{use.message}}).front();
  const Forecast* const now = find(cell, *ran);
  const Forecast* const then = choices_.all != nullptr ? find(cell, *chosen) : &cell.fastest();
  if (now == nullptr || then == nullptr) return std::nullopt;
  return Costs{cost_of(*now), cost_of(*then)};
}

/// A measured cost where the program grows, by the model.
Cost CallPrices::at_growth(double measured_s, const Cost& then, const tables::Use& profiled) const {
  const std::optional<Costs> at_profile = predicted(profiled, that_ran(profiled));
  return at_profile ? scaled(measured_s, then, at_profile->now) : then;
}

/// As long as the use's calls take that hardly wait, with the messages of our simplest algorithm.
Cost CallPrices::measured(const tables::Use& use, const tables::Amount& amount) const {
  Cost cost{amount.seconds / std::max(1.0, static_cast<double>(amount.calls))};
  cost.time_s = std::min(cost.time_s, prompt_s(profile_, use).value_or(cost.time_s));
  cost.messages.algorithm = kernels::catalogue(use.collective).front();
  return cost;
}

}  // namespace breakeven::tuner
