// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/replay.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "stats/random.hpp"

namespace breakeven::tuner {

namespace {

constexpr std::size_t kReplayedSteps = std::size_t{1} << 20U;
constexpr int kMostTurns = 16;

std::vector<double> deviations_of(int procs) {
  std::mt19937_64 random{1};
  std::vector<double> each(static_cast<std::size_t>(procs));
  for (double& one : each) one = stats::standard_normal(random);
  const double mean = std::reduce(each.begin(), each.end()) / procs;
  double squares = 0;
  for (double& one : each) {
    one -= mean;
    squares += one * one;
  }
  if (squares > 0) {
    for (double& one : each) one /= std::sqrt(squares / procs);
  }
  return each;
}

double calls_of(const std::vector<tables::Step>& steps) {
  double calls = 0;
  for (const tables::Step& each : steps)
    calls += each.body.empty() ? 1 : std::ceil(each.turns) * calls_of(each.body);
  return calls;
}

void limit_turns(std::vector<tables::Step>& steps, double most) {
  for (tables::Step& each : steps) {
    each.turns = std::min(each.turns, most);
    limit_turns(each.body, most);
  }
}

}  // namespace

kernels::Problem ReplayedKind::problem() const {
  return {.collective = collective,
          .procs = layout.procs,
          .params = algorithm.params,
          .placement = {.procs_per_node = layout.procs_per_node, .mapping = layout.mapping}};
}

Replay::Replay(int procs, std::span<const ReplayedKind> kinds)
    : clock_(static_cast<std::size_t>(procs)), deviations_{deviations_of(procs)} {
  for (const ReplayedKind& each : kinds) {
    Kind& kind = kinds_.emplace_back(
        each, sim::AlgorithmTimes{*each.algorithm.algorithm, each.problem(), kReplayedSteps});
    const auto price = kind.times.at(kind.times.call_of(each.message), *each.machine);
    if (price && price->time.value > 0) kind.stretch = each.cost.value / price->time.value;
  }
}

int groups_of(int procs, int stride, int world_procs) {
  stride = std::max(stride, 1);
  return world_procs / (procs * stride) * stride;
}

std::vector<Seconds> Replay::play(const std::vector<tables::Step>& steps,
                                  const ReplayObserver* observer) {
  observer_ = observer;
  std::ranges::fill(clock_, 0.0);
  for (Kind& each : kinds_) each.in_calls = {};
  play_steps(steps, 1);
  std::vector<Seconds> times;
  for (const Kind& each : kinds_) times.push_back(each.in_calls);
  return times;
}

void Replay::play_steps(const std::vector<tables::Step>& steps, double weight) {
  for (const tables::Step& step : steps) {
    if (!step.body.empty()) {
      play_loop(step, weight);
      continue;
    }
    for (std::size_t rank = 0; rank < clock_.size(); ++rank) {
      const double before = std::max(0.0, step.before_s + deviations_[rank] * step.apart_s);
      if (observer_ != nullptr) observer_->computes(static_cast<int>(rank), {before});
      clock_[rank] += before;
    }
    call(static_cast<std::size_t>(step.call), weight);
  }
}

void Replay::play_loop(const tables::Step& loop, double weight) {
  std::vector<double> previous;
  for (int turn = 0; turn < loop.turns; ++turn) {
    set_back();
    const bool repeats = clock_ == previous || turn + 1 == kMostTurns;
    const bool last = observer_ == nullptr && repeats;
    previous = clock_;
    const double left = loop.turns - turn;
    play_steps(loop.body, weight * (last ? left : std::min(1.0, left)));
    if (last) break;
  }
}

/// The first rank's clock is 0, so that equal turns are equal to the last bit.
void Replay::set_back() {
  if (observer_ != nullptr) return;
  const double first = std::ranges::min(clock_);
  for (double& each : clock_) each -= first;
}

void Replay::call(std::size_t kind, double weight) {
  const ReplayedKind& what = kinds_[kind].what;
  const int procs = what.layout.procs;
  const int stride = std::max(what.stride, 1);
  std::vector<int> ranks(static_cast<std::size_t>(procs));
  for (int group = 0; group < groups_of(procs, stride, static_cast<int>(clock_.size())); ++group) {
    for (int i = 0; i < procs; ++i) {
      ranks[static_cast<std::size_t>(i)] =
          group / stride * procs * stride + group % stride + i * stride;
    }
    call(kind, ranks, weight);
  }
}

void Replay::call(std::size_t number, std::span<const int> ranks, double weight) {
  Kind& kind = kinds_[number];
  std::vector<double> begins;
  for (const int rank : ranks) begins.push_back(clock_[static_cast<std::size_t>(rank)]);
  const auto [first, last] = std::ranges::minmax(begins);
  std::optional<std::vector<sim::Ticks>> done;
  if (kind.stretch > 0) {
    sim::Conditions apart;
    for (const double each : begins)
      apart.starts.push_back(sim::ticks_of({(each - first) / kind.stretch}));
    done = observer_ != nullptr
               ? observed(kind, ranks, first, apart)
               : kind.times.done(kind.times.call_of(kind.what.message), *kind.what.machine, apart);
  }
  double sum = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const double end = done ? first + kind.stretch * sim::seconds_of((*done)[i]).value
                            : last + kind.what.cost.value;
    sum += end - begins[i];
    clock_[static_cast<std::size_t>(ranks[i])] = end;
  }
  kind.in_calls.value += weight * sum / static_cast<double>(ranks.size());
}

std::vector<sim::Ticks> Replay::observed(Kind& kind, std::span<const int> ranks, double begin_s,
                                         const sim::Conditions& apart) {
  const ReplayedKind& what = kind.what;
  const kernels::CollectiveCall call = kind.times.call_of(what.message);
  if (!kind.exchange) kind.exchange = kernels::exchange_of(*what.algorithm.algorithm, call.problem);
  const sim::Trace trace = sim::trace(*kind.exchange, call, *what.machine, apart);
  observer_->calls(
      {.run = {.title = {.problem = call.problem, .algorithm = what.algorithm.algorithm->name},
               .call = call,
               .exchange = *kind.exchange,
               .trace = trace},
       .ranks = {ranks.begin(), ranks.end()},
       .begin = {begin_s},
       .stretch = kind.stretch},
      *what.machine);
  return trace.done;
}

std::vector<tables::Step> shortened(std::vector<tables::Step> steps, double calls, bool& whole) {
  whole = calls_of(steps) <= calls;
  for (double most = calls; most >= 1 && calls_of(steps) > calls; most = std::floor(most / 2))
    limit_turns(steps, most);
  return steps;
}

}  // namespace breakeven::tuner
