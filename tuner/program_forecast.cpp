// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/program_forecast.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/error.hpp"
#include "libraries/counterpart.hpp"

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

/// Sums draw by draw; a time without draws is the same in each.
class Draws {
 public:
  void add(const Forecast& forecast, double calls) {
    if (!forecast.draws_s.empty())
      sums_.resize(std::max(sums_.size(), forecast.draws_s.size()), fixed_);
    if (forecast.draws_s.empty()) fixed_ += calls * forecast.prediction.time.value;
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      const auto& draws = forecast.draws_s;
      sums_[i] +=
          calls * (draws.empty() ? forecast.prediction.time.value : draws[i % draws.size()]);
    }
  }
  [[nodiscard]] const std::vector<double>& sums() const { return sums_; }

 private:
  std::vector<double> sums_;
  double fixed_ = 0;  // of times without draws
};

const Forecast* find(const ForecastCell& cell, const kernels::Instance& variant) {
  const auto found = std::ranges::find(cell.times, variant, &Forecast::variant);
  return found == cell.times.end() ? nullptr : &*found;
}

}  // namespace

ProgramForecast forecast(const tables::Profile& profile, const ProgramChoices& choices,
                         const sim::MachineDescription& machine,
                         const std::optional<NodeLayout>& grown) {
  ProgramForecast program;
  Draws now;
  Draws then;
  for (const auto& [profiled, amount] : profile.uses) {
    program.profiled = program.profiled + Seconds{amount.seconds};
    tables::Use use = profiled;
    if (grown && use.layout.procs == profile.procs) use.layout = *grown;
    const auto ran = instance_of(use, that_ran(use));
    if (use.form != CallForm::blocking || !ran) continue;
    const Variant choice = that_would_run(use, choices);
    const auto chosen = instance_of(use, choice);
    if (!chosen) continue;
    ForecastQuestion question{
        .collective = use.collective,
        .placement = {.procs_per_node = use.layout.procs_per_node, .mapping = use.layout.mapping},
        .most_steps = kMostSteps};
    if (choices.all != nullptr) question.variants = {*ran, *chosen};
    const ForecastCell cell =
        forecast(question, machine, use.layout.procs, {{use.message}}).front();
    const Forecast* const of_ran = find(cell, *ran);
    const Forecast* const of_chosen =
        choices.all != nullptr ? find(cell, *chosen) : &cell.fastest();
    if (of_ran == nullptr || of_chosen == nullptr) continue;
    const auto calls = static_cast<double>(amount.calls);
    now.add(*of_ran, calls);
    then.add(*of_chosen, calls);
    program.calls.push_back(
        {.use = use,
         .calls = amount.calls,
         .profiled = {amount.seconds},
         .now = that_ran(use),
         .then = choices.all == nullptr ? kernels::variant_of(of_chosen->variant) : choice,
         .now_time = {calls * of_ran->prediction.time.value},
         .then_time = {calls * of_chosen->prediction.time.value}});
    program.now = program.now + program.calls.back().now_time;
    program.then = program.then + program.calls.back().then_time;
  }
  if (program.calls.empty()) {
    throw UsageError(
        "none of the program's calls can be predicted: of blocking calls the algorithm that ran "
        "has to be known");
  }
  program.speedup = interval_of_ratio(now.sums(), then.sums());
  std::ranges::sort(program.calls, std::greater{}, [](auto& each) { return each.now_time.value; });
  return program;
}

}  // namespace breakeven::tuner
