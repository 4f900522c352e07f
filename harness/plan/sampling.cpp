// SPDX-License-Identifier: BSD-3-Clause
#include "harness/plan/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "harness/plan/order.hpp"
#include "stats/autocorrelation.hpp"
#include "stats/warmup.hpp"

namespace breakeven::plan {

namespace {

/// In one launch, a candidate is slower by far when its interval lies above this many times the
/// best one's: launches differ, and a close candidate may be first in the next.
constexpr double kFar = 1.05;

/// A case with too few valid repetitions ends after this many times the least samples.
constexpr int kPatience = 50;

}  // namespace

Sampling::Sampling(const protocol::MeasurePlan& plan, std::size_t candidates, std::uint64_t seed)
    : plan_{plan}, seed_{seed}, candidates_(candidates) {}

std::vector<Sampling::Block> Sampling::next_round() {
  close_what_is_done();
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (!candidates_[i].stop) {
      blocks.push_back({.candidate = i, .repetitions = block_of(candidates_[i])});
    }
  }
  shuffle(blocks, mixed_seed(seed_, round_++, 0));
  return blocks;
}

void Sampling::add(const Block& block, std::span<const double> samples, Seconds spent) {
  Candidate& its = candidates_[block.candidate];
  if (its.repetitions == 0 && !samples.empty()) {
    its.warmup = stats::warmup_length(samples);
    samples = samples.subspan(its.warmup);
  }
  its.repetitions += block.repetitions;
  its.spent = its.spent + spent;
  its.samples.insert(its.samples.end(), samples.begin(), samples.end());
}

std::span<const double> Sampling::samples(std::size_t candidate) const {
  return candidates_[candidate].samples;
}

std::size_t Sampling::warmup(std::size_t candidate) const { return candidates_[candidate].warmup; }

std::optional<Stop> Sampling::stop(std::size_t candidate) const {
  return candidates_[candidate].stop;
}

/// A block, or a quarter of the samples so far, within the repetitions and the time left.
int Sampling::block_of(const Candidate& candidate) const {
  const auto have = static_cast<int>(candidate.samples.size());
  const int wanted = std::min(std::max(plan_.batch, have / 4), plan_.repetitions - have);
  if (candidate.repetitions == 0) return std::max(1, std::min(wanted, plan_.batch));
  const double each = candidate.spent.value / candidate.repetitions;
  const double in_budget = (plan_.case_budget.value - candidate.spent.value) / each;
  const int least = std::max(1, plan_.min_repetitions - have);
  return in_budget < wanted ? std::max(least, static_cast<int>(in_budget)) : wanted;
}

/// The reason to close a candidate, apart from its comparison with the others.
std::optional<Stop> Sampling::verdict(const Candidate& candidate) const {
  const auto have = static_cast<int>(candidate.samples.size());
  const bool spent = candidate.spent >= plan_.case_budget;
  if (have >= plan_.repetitions) return Stop::repetitions;
  if (have < std::min(plan_.min_repetitions, plan_.repetitions)) {
    const bool hopeless = candidate.repetitions >= kPatience * plan_.min_repetitions;
    return spent && hopeless ? std::optional{Stop::budget} : std::nullopt;
  }
  const bool spread = candidate.spent >= std::min(plan_.min_time, plan_.case_budget);
  if (spread && stats::precise_enough(candidate.samples, plan_.target_ci)) return Stop::precise;
  return spent ? std::optional{Stop::budget} : std::nullopt;
}

void Sampling::close_what_is_done() {
  constexpr double kConfidence = 0.99;
  double best = std::numeric_limits<double>::infinity();
  std::vector<double> low(candidates_.size(), 0);
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    Candidate& candidate = candidates_[i];
    if (!candidate.stop) candidate.stop = verdict(candidate);
    if (static_cast<int>(candidate.samples.size()) <
        std::min(plan_.min_repetitions, plan_.repetitions)) {
      continue;
    }
    const stats::Estimate estimate =
        stats::estimate_median_of_series(candidate.samples, kConfidence);
    best = std::min(best, estimate.high);
    low[i] = estimate.low;
  }
  if (!plan_.racing) return;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (!candidates_[i].stop && low[i] > kFar * best) candidates_[i].stop = Stop::slower;
  }
}

}  // namespace breakeven::plan
