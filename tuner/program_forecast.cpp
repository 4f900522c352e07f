// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/program_forecast.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "core/error.hpp"
#include "tuner/call_prices.hpp"

namespace breakeven::tuner {

namespace {

constexpr std::size_t kMixing = 617;  // without a common divisor with kDraws

/// Adds the calls of each kind, of one process.
void count(const std::vector<tables::Step>& steps, double weight, std::vector<double>& calls) {
  for (const tables::Step& each : steps) {
    if (each.body.empty()) calls[static_cast<std::size_t>(each.call)] += weight;
    count(each.body, weight * each.turns, calls);
  }
}

/// A program's replay.
struct Played {
  const tables::Profile& profile;
  ProgramForecast& program;
  std::vector<std::size_t> prices{};  // of each kind

  void add(const std::vector<Priced>& priced, std::size_t price, int stride) {
    const tables::Use& use = priced[price].calls.use;
    program.kinds.push_back({.collective = use.collective,
                             .layout = use.layout,
                             .stride = use.layout.procs == program.layout.procs ? 1 : stride,
                             .message = use.message});
    prices.push_back(price);
  }
};

/// The order with all calls: those that it has not follow, one kind after the other.
void put_order(const std::vector<Priced>& priced, Played& played) {
  const tables::Profile& profile = played.profile;
  ProgramForecast& program = played.program;
  program.order = profile.order;
  std::vector<double> left;
  for (const Priced& each : priced) left.push_back(static_cast<double>(each.calls.calls));
  const double all = std::reduce(left.begin(), left.end());
  std::vector<double> calls(profile.kinds.size());
  count(profile.order.steps, 1, calls);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const auto of_use = std::ranges::find(priced, profile.kinds[i].use, &Priced::profiled);
    played.add(priced, static_cast<std::size_t>(of_use - priced.begin()), profile.kinds[i].stride);
    left[played.prices[i]] -= calls[i];
  }
  program.ordered = 1 - std::reduce(left.begin(), left.end()) / all;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (left[i] < 1) continue;
    const auto number = static_cast<int>(program.kinds.size());
    played.add(priced, i, 1);
    program.order.steps.push_back({.turns = left[i], .body = {{.call = number}}});
  }
}

/// The part of a use's time that no replay has, by the other algorithm.
/// @param share  of it that changes as the cost does
double rest_then(const Priced& of, double share, double now_s, double then_s) {
  return of.calls.rest.value * (1 - share * (1 - (now_s > 0 ? then_s / now_s : 1)));
}

/// The ratio of both sums of times, with the errors of the costs.
std::optional<ForecastInterval> speedup_of(const std::vector<Priced>& priced, bool with_rest) {
  const bool varies = std::ranges::any_of(priced, [](const Priced& each) {
    return !each.now.draws_s.empty() || !each.then.draws_s.empty();
  });
  if (!varies) return std::nullopt;
  std::vector<double> now(kDraws);
  std::vector<double> then(kDraws);
  for (const Priced& of : priced) {
    const auto calls = static_cast<double>(of.calls.calls);
    for (std::size_t i = 0; i < kDraws; ++i) {
      const double now_s = of.now.draw(i);
      const double then_s = of.then.draw(i);
      now[i] += of.calls.now_time.value + calls * (now_s - of.now.time_s);
      then[i] += of.calls.then_time.value + calls * (then_s - of.then.time_s);
      if (!with_rest) continue;
      const double share = static_cast<double>(i * kMixing % kDraws) / kDraws;  // from 0 to 1
      now[i] += of.calls.rest.value;
      then[i] += rest_then(of, share, now_s, then_s);
    }
  }
  return interval_of_ratio(now, then);
}

/// Plays the order at these costs, and adds the times of kinds to their calls.
void replay(Played& played, std::vector<Priced>& priced, Cost Priced::* cost,
            Seconds CallForecast::* time, const sim::MachineDescription& machine) {
  ProgramForecast& program = played.program;
  for (std::size_t i = 0; i < program.kinds.size(); ++i) {
    ReplayedKind& kind = program.kinds[i];
    const Cost& its = priced[played.prices[i]].*cost;
    kind.algorithm = its.messages;
    kind.cost = {its.time_s};
    kind.machine = &machine.of(kind.collective, its.messages.algorithm->name).machine;
  }
  const int procs = program.layout.procs;
  const auto times = Replay{procs, program.kinds}.play(program.order.steps);
  for (std::size_t i = 0; i < times.size(); ++i) {
    const ReplayedKind& kind = program.kinds[i];
    const int groups = std::max(1, groups_of(kind.layout.procs, kind.stride, procs));
    (priced[played.prices[i]].calls.*time).value += times[i].value / groups;
  }
}

}  // namespace

ProgramForecast forecast(const tables::Profile& profile, const ProgramChoices& choices,
                         const sim::MachineDescription& machine,
                         const std::optional<NodeLayout>& grown) {
  const CallPrices prices{profile, choices, machine, grown};
  ProgramForecast program{.layout = grown.value_or(
                              NodeLayout{.procs = profile.procs, .procs_per_node = profile.procs})};
  std::vector<Priced> priced;
  for (const auto& [use, amount] : profile.uses) {
    program.profiled = program.profiled + Seconds{amount.seconds};
    if (use.form != CallForm::blocking) continue;
    if (!grown && use.layout.procs == profile.procs) program.layout = use.layout;
    priced.push_back(prices.of(use, amount, priced.size()));
  }
  if (std::ranges::none_of(priced, [](const Priced& each) { return each.calls.known; })) {
    throw UsageError(
        "none of the program's calls can be predicted: of blocking calls the algorithm that ran "
        "has to be known, and on the profile's machine their buffers be apart");
  }
  Played played{profile, program};
  put_order(priced, played);
  replay(played, priced, &Priced::now, &CallForecast::now_time, machine);
  replay(played, priced, &Priced::then, &CallForecast::then_time, machine);
  for (Priced& each : priced) {
    CallForecast& calls = each.calls;
    if (prices.here() && !grown)
      calls.rest.value = std::max(0.0, calls.profiled.value - calls.now_time.value);
    program.now = program.now + calls.now_time;
    program.then = program.then + calls.then_time;
    program.rest = program.rest + calls.rest;
    program.rest_then.value += rest_then(each, 0.5, each.now.time_s, each.then.time_s);
    program.calls.push_back(calls);
  }
  program.speedup = speedup_of(priced, false);
  program.with_rest = speedup_of(priced, true);
  std::ranges::sort(program.calls, std::greater{}, [](auto& each) { return each.now_time.value; });
  return program;
}

}  // namespace breakeven::tuner
