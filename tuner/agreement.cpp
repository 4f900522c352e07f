// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/agreement.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <ranges>
#include <set>
#include <span>

#include "stats/quantile.hpp"
#include "tuner/correction.hpp"
#include "tuner/decision.hpp"

namespace breakeven::tuner {

namespace {

/// Pearson's; nothing where one side does not vary.
std::optional<double> correlation(std::span<const double> one, std::span<const double> other) {
  const auto count = static_cast<double>(one.size());
  const double mean = std::accumulate(one.begin(), one.end(), 0.0) / count;
  const double other_mean = std::accumulate(other.begin(), other.end(), 0.0) / count;
  double product = 0;
  double square = 0;
  double other_square = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    product += (one[i] - mean) * (other[i] - other_mean);
    square += (one[i] - mean) * (one[i] - mean);
    other_square += (other[i] - other_mean) * (other[i] - other_mean);
  }
  if (square <= 0 || other_square <= 0) return std::nullopt;
  return product / std::sqrt(square * other_square);
}

/// From 1 on; those of equals are their mean.
std::vector<double> ranks_of(std::span<const double> values) {
  std::vector<double> ranks;
  for (const double value : values) {
    const auto less = std::ranges::count_if(values, [&](double each) { return each < value; });
    const auto equal = std::ranges::count(values, value);
    ranks.push_back(static_cast<double>(less) + (static_cast<double>(equal) + 1) / 2);
  }
  return ranks;
}

/// The candidates of a problem that are predicted and measured.
struct Cell {
  Case problem{};
  std::vector<const Candidate*> candidates{};
  std::vector<double> predicted{};  ///< log seconds
  int with_interval = 0;            ///< of the candidates
  int inside = 0;                   ///< of these, those measured within
};

void add_choice(PredictedChoices& choices, const Cell& cell, std::span<const double> predicted) {
  const auto log_time = [](const Candidate* each) { return each->log_time.mean; };
  const auto choice = std::ranges::min_element(predicted) - predicted.begin();
  const double fastest = log_time(*std::ranges::min_element(cell.candidates, {}, log_time));
  const double regret =
      std::expm1(log_time(cell.candidates[static_cast<std::size_t>(choice)]) - fastest);
  ++choices.problems;
  choices.near_best += regret <= kNearBest ? 1 : 0;
  choices.mean_regret += (regret - choices.mean_regret) / static_cast<double>(choices.problems);
  choices.worst_regret = std::max(choices.worst_regret, regret);
}

/// Predictions corrected by what was measured at all p but one.
class HeldOut {
 public:
  HeldOut(const Predictions& predictions, const Contests& contests) {
    std::set<int> procs;
    for (const Case& problem : contests | std::views::keys) procs.insert(problem.procs);
    if (procs.size() < 2) return;
    for (const int held_out : procs)
      corrections_.emplace(held_out, Correction{predictions, contests, held_out});
  }

  [[nodiscard]] std::optional<double> log_time(const Case& what) const {
    const auto found = corrections_.find(what.procs);
    return found == corrections_.end() ? std::nullopt : found->second.log_time(what);
  }

 private:
  std::map<int, Correction> corrections_{};
};

std::vector<Cell> cells_of(const Predictions& predictions, const Contests& contests) {
  std::vector<Cell> cells;
  for (const auto& [problem, by_counts] : contests) {
    for (const Contest& contest : by_counts | std::views::values) {
      Cell cell{.problem = contest.problem};
      for (const Candidate& each : contest.candidates) {
        const auto predicted = predictions.find(each.times.what);
        if (predicted == predictions.end() || predicted->second.time.value <= 0) continue;
        cell.candidates.push_back(&each);
        cell.predicted.push_back(std::log(predicted->second.time.value));
        const Prediction& prediction = predicted->second;
        if (!prediction.low || !prediction.high) continue;
        ++cell.with_interval;
        const double time = each.seconds();
        cell.inside += time >= prediction.low->value && time <= prediction.high->value ? 1 : 0;
      }
      if (!cell.candidates.empty()) cells.push_back(std::move(cell));
    }
  }
  return cells;
}

bool oversubscribed(const Cell* cell) {
  return std::ranges::any_of(cell->candidates,
                             [](const Candidate* each) { return each->times.oversubscribed; });
}

/// @param measured, predicted  logarithms
void add_differences(Agreement& line, const std::vector<double>& measured,
                     const std::vector<double>& predicted) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < measured.size(); ++i)
    differences.push_back(std::expm1(measured[i] - predicted[i]));
  std::ranges::sort(differences);
  line.cases = measured.size();
  line.low = stats::quantile_of_sorted(differences, 0.1);
  line.median = stats::quantile_of_sorted(differences, 0.5);
  line.high = stats::quantile_of_sorted(differences, 0.9);
  line.correlation = correlation(measured, predicted);
}

Agreement agreement_of(std::span<const Cell* const> cells, const HeldOut& held_out) {
  Agreement line{.collective = cells.front()->problem.collective};
  std::vector<double> measured;
  std::vector<double> predicted;
  std::vector<double> rank_correlations;
  PredictedChoices at_others;
  int with_interval = 0;
  int inside = 0;
  for (const Cell* cell : cells) {
    with_interval += cell->with_interval;
    inside += cell->inside;
    std::vector<double> times;
    for (const Candidate* each : cell->candidates) times.push_back(each->log_time.mean);
    measured.insert(measured.end(), times.begin(), times.end());
    predicted.insert(predicted.end(), cell->predicted.begin(), cell->predicted.end());
    if (times.size() < 2) continue;
    if (const auto ranks = correlation(ranks_of(times), ranks_of(cell->predicted)))
      rank_correlations.push_back(*ranks);
    add_choice(line.choices, *cell, cell->predicted);
    std::vector<double> corrected;
    for (const Candidate* each : cell->candidates) {
      if (const auto time = held_out.log_time(each->times.what)) corrected.push_back(*time);
    }
    if (!corrected.empty()) add_choice(at_others, *cell, corrected);
  }
  add_differences(line, measured, predicted);
  if (with_interval > 0) line.inside = static_cast<double>(inside) / with_interval;
  if (!rank_correlations.empty()) {
    line.rank_correlation =
        std::accumulate(rank_correlations.begin(), rank_correlations.end(), 0.0) /
        static_cast<double>(rank_correlations.size());
  }
  if (at_others.problems > 0) line.held_out = at_others;
  return line;
}

}  // namespace

Agreements agreements(const Predictions& predictions, const Contests& contests) {
  const HeldOut held_out{predictions, contests};
  const std::vector<Cell> cells = cells_of(predictions, contests);
  std::map<Collective, std::map<int, std::vector<const Cell*>>> lines;
  Agreements found;
  for (const Cell& cell : cells) {
    lines[cell.problem.collective][cell.problem.procs].push_back(&cell);
    for (const Candidate* each : cell.candidates) {
      const Case& what = each->times.what;
      ComparedCase& compared = found.cases.emplace_back(ComparedCase{
          .what = what, .measured = {each->seconds()}, .predicted = predictions.at(what)});
      if (const auto time = held_out.log_time(what)) compared.held_out = Seconds{std::exp(*time)};
    }
  }
  for (const auto& [collective, by_procs] : lines) {
    std::vector<const Cell*> all;
    for (const auto& [procs, of_procs] : by_procs) {
      found.lines.push_back(agreement_of(of_procs, held_out));
      found.lines.back().procs = procs;
      all.insert(all.end(), of_procs.begin(), of_procs.end());
    }
    // A model does not know how processes take turns.
    const auto turns = std::ranges::stable_partition(all, std::not_fn(oversubscribed));
    if (turns.begin() != all.begin()) all.erase(turns.begin(), turns.end());
    if (by_procs.size() > 1) found.lines.push_back(agreement_of(all, held_out));
  }
  return found;
}

}  // namespace breakeven::tuner
