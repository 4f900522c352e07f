// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/verify/verification.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>

#include "core/error.hpp"
#include "stats/case_times.hpp"
#include "stats/geometric_mean.hpp"
#include "stats/multiple_tests.hpp"

namespace breakeven::verify {

namespace {

constexpr double kConfidence = 0.95;
constexpr stats::Estimate kNoDifference{
    .median = 1, .low = 1, .high = 1, .coverage = 1, .count = 0};

/// The measurements of a case, by repeat.
using Times = std::map<int, const Measurement*>;

std::map<Case, Times> times_of(std::span<const Measurement> measurements) {
  std::map<Case, Times> times;
  for (const Measurement& each : measurements) times[each.what][each.repeat] = &each;
  return times;
}

/// The logarithms of a problem's speedups, by repeat.
using Speedups = stats::ByLaunch<double>;

Speedups speedups_of(const Times& by_default, const Times& with_table) {
  stats::ByLaunch<Seconds> slow;
  stats::ByLaunch<Seconds> fast;
  for (const auto& [repeat, each] : by_default) slow[repeat] = each->median;
  for (const auto& [repeat, each] : with_table) {
    // A table's choice by name runs in one launch with the default; a table in force does not.
    const auto pair = by_default.find(repeat);
    const bool comparable = each->what.variant.is<Tuned>() ||
                            (pair != by_default.end() && pair->second->launch == each->launch);
    if (comparable) fast[repeat] = each->median;
  }
  return stats::log_ratios(slow, fast);
}

/// A cell before its verdict.
struct Tried {
  const TriedProblem* what = nullptr;
  Speedups speedups{};  ///< none where there was nothing to measure
  bool aside = false;

  [[nodiscard]] bool unmeasured() const { return speedups.empty(); }
  [[nodiscard]] stats::MeanLog mean() const {
    std::vector<double> logs;
    for (const auto& [repeat, log] : speedups) logs.push_back(log);
    return stats::mean_log(logs);
  }
};

/// By problem; without those of which less than two repeats were measured.
std::vector<Tried> tried_with_speedups(std::span<const Measurement> measurements,
                                       std::span<const TriedProblem> tried) {
  const std::map<Case, Times> times = times_of(measurements);
  const auto of = [&](const Case& what) {
    const auto found = times.find(what);
    return found == times.end() ? Times{} : found->second;
  };
  std::vector<Tried> cells;
  for (const TriedProblem& each : tried) {
    if (each.same_either_way()) {
      cells.push_back({&each});
      continue;
    }
    Speedups speedups = speedups_of(of(each.by_default()), of(each.with_table));
    if (speedups.size() >= 2) cells.push_back({&each, std::move(speedups)});
  }
  std::ranges::sort(cells, {}, [](const Tried& each) { return each.what->problem; });
  return cells;
}

/// Marks cells with more processes than cores unless all measured cells have more.
/// @return whether all are
bool put_aside(std::vector<Tried>& cells, std::span<const Measurement> measurements) {
  std::set<NodeLayout> turns;
  for (const Measurement& each : measurements) {
    if (each.oversubscribed) turns.insert(layout_of(each.what));
  }
  const auto takes_turns = [&](const Tried& each) {
    return turns.contains(layout_of(each.what->problem));
  };
  const bool all = !turns.empty() && std::ranges::all_of(cells, [&](const Tried& each) {
    return each.unmeasured() || takes_turns(each);
  });
  for (Tried& each : cells) each.aside = !all && takes_turns(each);
  return all;
}

/// Over the cells in each repeat, then over the repeats; nothing where there was too little.
std::optional<stats::Estimate> overall(std::span<const Tried> cells) {
  std::map<std::int64_t, std::vector<double>> by_repeat;
  std::size_t same = 0;
  for (const Tried& cell : cells) {
    if (cell.aside) continue;
    if (cell.unmeasured()) ++same;
    for (const auto& [repeat, log] : cell.speedups) by_repeat[repeat].push_back(log);
  }
  std::vector<double> means;
  for (const auto& [repeat, logs] : by_repeat) {
    const double sum = std::accumulate(logs.begin(), logs.end(), 0.0);
    means.push_back(sum / static_cast<double>(logs.size() + same));
  }
  if (means.size() < 2) return std::nullopt;
  return stats::estimate_geometric_mean(stats::mean_log(means), kConfidence);
}

VerifiedCell cell_of(const Tried& tried) {
  VerifiedCell cell{.problem = tried.what->problem,
                    .choice = tried.what->choice,
                    .speedup = tried.unmeasured()
                                   ? kNoDifference
                                   : stats::estimate_geometric_mean(tried.mean(), kConfidence),
                    .aside = tried.aside};
  if (!tried.unmeasured()) cell.effect = effect_of(cell.speedup);
  return cell;
}

double p_value_of_failing(const Tried& tried) {
  return stats::p_value_below(tried.mean(), 1 / (1 + kToleratedLoss));
}

}  // namespace

Case TriedProblem::by_default() const { return with_variant(problem, Native{}); }

Effect effect_of(const stats::Estimate& speedup) {
  if (speedup.low > 1) return Effect::faster;
  return speedup.high < 1 ? Effect::slower : Effect::undecided;
}

bool Verification::any_fails() const {
  return std::ranges::any_of(cells,
                             [](const VerifiedCell& each) { return each.fails && !each.aside; });
}

Verification verify_table(std::span<const Measurement> measurements,
                          std::span<const TriedProblem> tried) {
  std::vector<Tried> cells = tried_with_speedups(measurements, tried);
  const bool to_measure = !std::ranges::all_of(tried, &TriedProblem::same_either_way);
  if (to_measure && std::ranges::all_of(cells, &Tried::unmeasured)) {
    throw UsageError(
        "no problem was measured both by default and with the table, twice at least; a table that "
        "was changed needs a new database");
  }
  Verification verification{.oversubscribed = put_aside(cells, measurements)};
  std::vector<Tried> changed;
  std::array<std::vector<double>, 2> p_values;  // of those that count, and of those aside
  for (const Tried& each : cells) {
    verification.cells.push_back(cell_of(each));
    if (verification.cells.back().changed()) changed.push_back(each);
    if (!each.unmeasured()) p_values.at(each.aside).push_back(p_value_of_failing(each));
  }
  const std::array adjusted{stats::holm(p_values[0]), stats::holm(p_values[1])};
  std::array next{adjusted[0].begin(), adjusted[1].begin()};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].unmeasured()) continue;
    verification.cells[i].fails = *next.at(cells[i].aside)++ < 1 - kConfidence;
  }
  verification.speedup = overall(cells).value_or(kNoDifference);
  verification.speedup_of_changed = overall(changed);
  return verification;
}

}  // namespace breakeven::verify
