// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "tuner/equal_names.hpp"

namespace breakeven::tuner {

namespace {

const double kLogNearBest = std::log1p(kNearBest);

/// Significantly more than `bound`.
bool exceeds(const stats::Belief& belief, double bound) {
  return stats::significantly_less({.mean = bound}, belief);
}

/// What either side has measured; else where their rules begin and end.
std::set<Case, SizesTogether> problems_of(const Side& first, const Side& second) {
  std::set<Case, SizesTogether> problems;
  for (const Side* side : {&first, &second}) {
    for (const Decision& each : side->data) problems.insert(each.problem);
  }
  if (!problems.empty()) return problems;
  for (const Side* side : {&first, &second}) {
    for (const Rule& rule : side->table.rules) {
      for (const Bytes size : {rule.first_measured, rule.last_measured}) {
        Case problem = without_algorithm(rule.what);
        problem.message = size;
        problems.insert(std::move(problem));
      }
    }
  }
  return problems;
}

Case chosen(const Table& table, Case problem) {
  const Choice choice =
      table.choose(problem.collective, problem.procs, problem.message, problem.mapping);
  problem.algorithm = choice.algorithm;
  problem.params = choice.params;
  return problem;
}

bool same(const Case& one, const Case& other, EqualNames& equals) {
  if (one.algorithm == other.algorithm && one.params == other.params) return true;
  const std::vector<std::string>& names = equals.of(one);
  return other.params.empty() && std::ranges::find(names, other.algorithm) != names.end();
}

/// The data on two choices: of several counts those with which they differ most.
std::optional<stats::Belief> log_ratio(const Decision& measured, const std::array<Case, 2>& choices,
                                       EqualNames& equals) {
  std::optional<stats::Belief> most;
  for (const Contest& contest : measured.contests) {
    const Candidate* const one = equals.find(contest, choices[0]);
    const Candidate* const other = equals.find(contest, choices[1]);
    if (one == nullptr || other == nullptr) return std::nullopt;
    const stats::Belief ratio = one == other ? stats::Belief{} : one->log_time - other->log_time;
    if (!most || std::abs(ratio.mean) > std::abs(most->mean)) most = ratio;
  }
  return most;
}

bool slower_than_native(const Decision& measured, const Case& choice, EqualNames& equals) {
  return std::ranges::any_of(measured.contests, [&](const Contest& contest) {
    const Candidate* const native = contest.native();
    const Candidate* const chosen = equals.find(contest, choice);
    return native != nullptr && chosen != nullptr && chosen != native &&
           exceeds(chosen->log_time - native->log_time, kLogNearBest);
  });
}

const Decision* find(const std::vector<Decision>& data, const Case& problem) {
  const auto found = std::ranges::find_if(data, [&](const Decision& each) {
    return differ_in_size_alone(each.problem, problem) && each.problem.message == problem.message;
  });
  return found == data.end() ? nullptr : &*found;
}

void add(OnData& sums, const ComparedCell& cell, const std::optional<stats::Belief>& ratio) {
  if (!ratio) {
    ++sums.not_measured;
    return;
  }
  ++sums.cells;
  sums.log_ratio.mean += ratio->mean;
  sums.log_ratio.variance += ratio->variance;
  for (std::size_t side = 0; side < 2; ++side) {
    const double loss = std::expm1(side == 0 ? ratio->mean : -ratio->mean);
    if (loss <= sums.worst_loss[side]) continue;
    sums.worst_loss[side] = loss;
    sums.worst[side] = cell.problem;
  }
}

}  // namespace

bool ComparedCell::as_good() const {
  return std::ranges::all_of(
             log_ratio,
             [](const auto& ratio) { return !ratio || std::abs(ratio->mean) <= kLogNearBest; }) &&
         std::ranges::any_of(log_ratio, [](const auto& ratio) { return ratio.has_value(); });
}

std::optional<int> Comparison::worse() const {
  for (const int side : {0, 1}) {
    bool any = false;
    bool all = true;
    for (const std::optional<OnData>& data : on_data) {
      if (!data || data->cells == 0) continue;
      const stats::Belief loss = side == 0 ? data->log_ratio : stats::Belief{} - data->log_ratio;
      any = true;
      all &= exceeds(loss, 0);
    }
    if (any && all) return side;
  }
  return std::nullopt;
}

Comparison compare(const Side& first, const Side& second) {
  Comparison comparison;
  EqualNames equals;
  const std::array<const Side*, 2> sides{&first, &second};
  for (std::size_t i = 0; i < 2; ++i) {
    if (!sides[i]->data.empty()) comparison.on_data[i].emplace();
  }
  for (const Case& problem : problems_of(first, second)) {
    const std::array choices{chosen(first.table, problem), chosen(second.table, problem)};
    ComparedCell cell{.problem = problem,
                      .choices = {variant_text(choices[0]), variant_text(choices[1])},
                      .same = same(choices[0], choices[1], equals)};
    for (std::size_t i = 0; i < 2; ++i) {
      const Decision* const measured = find(sides[i]->data, problem);
      if (measured == nullptr) continue;
      OnData& data = *comparison.on_data[i];
      cell.log_ratio[i] = log_ratio(*measured, choices, equals);
      add(data, cell, cell.log_ratio[i]);
      for (std::size_t side = 0; side < 2; ++side) {
        data.slower_than_native[side] +=
            slower_than_native(*measured, choices[side], equals) ? 1 : 0;
      }
    }
    comparison.cells.push_back(std::move(cell));
  }
  for (std::optional<OnData>& data : comparison.on_data) {
    if (!data || data->cells == 0) continue;
    data->log_ratio.mean /= data->cells;
    data->log_ratio.variance /= static_cast<double>(data->cells) * data->cells;
  }
  return comparison;
}

}  // namespace breakeven::tuner
