// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "core/error.hpp"
#include "tuner/equal_names.hpp"

namespace breakeven::tuner {

namespace {

/// Significantly more than `bound`.
bool exceeds(const stats::Belief& belief, double bound) {
  return stats::significantly_less({.mean = bound}, belief);
}

/// Whether data compare the choices anywhere.
bool says(const std::optional<OnData>& data) { return data && data->cells > 0; }

/// The problems that either side has measured; else those where their rules begin and end.
std::set<Case, SizesTogether> problems_of(const Side& first, const Side& second) {
  std::set<Case, SizesTogether> problems;
  for (const Side* side : {&first, &second}) {
    for (const Decision& each : side->data) problems.insert(each.problem);
  }
  if (!problems.empty()) return problems;
  for (const Side* side : {&first, &second}) {
    for (const tables::Rule& rule : side->table.rules) {
      for (const Bytes size : {rule.first_measured, rule.last_measured}) {
        Case problem = without_algorithm(rule.what);
        problem.message = size;
        problems.insert(std::move(problem));
      }
    }
  }
  return problems;
}

bool same(const Case& one, const Case& other, EqualNames& equals) {
  if (one.variant == other.variant) return true;
  const std::vector<std::string> names = equals.of(one);
  return !names.empty() && names == equals.of(other);
}

/// log(time of one choice / time of the other) in a cell.
struct Ratio {
  stats::Belief most{};  ///< with the counts with which they differ most
  stats::Belief mean{};  ///< over the counts, each by its own measurements
};

/// Nothing where one of them was not measured.
std::optional<Ratio> log_ratio(const Decision& measured, const std::array<Case, 2>& choices,
                               EqualNames& equals) {
  Ratio ratio;
  const auto counts = static_cast<double>(measured.contests.size());
  for (const Contest& contest : measured.contests) {
    const Candidate* const one = equals.find(contest, choices[0]);
    const Candidate* const other = equals.find(contest, choices[1]);
    if (one == nullptr || other == nullptr) return std::nullopt;
    if (one == other) continue;
    const stats::Belief smoothed = one->log_time - other->log_time;
    const stats::Belief own = one->own_log_time - other->own_log_time;
    if (std::abs(smoothed.mean) > std::abs(ratio.most.mean)) ratio.most = smoothed;
    ratio.mean.mean += own.mean / counts;
    ratio.mean.variance += own.variance / (counts * counts);
  }
  return ratio;
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
  const auto found = std::ranges::lower_bound(data, problem, SizesTogether{}, &Decision::problem);
  return found == data.end() || SizesTogether{}(problem, found->problem) ? nullptr : &*found;
}

void add(OnData& sums, const Case& problem, const std::optional<Ratio>& ratio) {
  if (!ratio) {
    ++sums.not_measured;
    return;
  }
  ++sums.cells;
  sums.log_ratio.mean += ratio->mean.mean;
  sums.log_ratio.variance += ratio->mean.variance;
  for (std::size_t side = 0; side < 2; ++side) {
    const double loss = std::expm1(side == 0 ? ratio->most.mean : -ratio->most.mean);
    if (loss <= sums.worst_loss[side]) continue;
    sums.worst_loss[side] = loss;
    sums.worst[side] = problem;
  }
}

/// @throws UsageError when the tables are of different datatypes, operations or roots.
void require_comparable(const Side& first, const Side& second) {
  const auto kind = [](const Side& side) {
    return fmt::format("{} of {}, op {}, root {}", side.name, kDatatypes.of(side.table.datatype),
                       kOps.of(side.table.op), side.table.root.value);
  };
  const auto of = [](const Side& side) {
    return std::tuple(side.table.datatype, side.table.op, side.table.root);
  };
  if (of(first) == of(second)) return;
  throw UsageError(
      fmt::format("tables of one datatype, op and root can be compared: here is {}, and {}",
                  kind(first), kind(second)));
}

/// Adds a cell to the sums by the data of one side, which may be aside from others.
/// @return the ratio of the choices' times; nothing where one was not measured
std::optional<stats::Belief> judge(const Decision& measured, const std::array<Case, 2>& choices,
                                   bool aside, EqualNames& equals, OnData& sums) {
  const std::optional<Ratio> ratio = log_ratio(measured, choices, equals);
  if (aside) {
    ++sums.aside;
  } else {
    add(sums, measured.problem, ratio);
    for (std::size_t side = 0; side < 2; ++side) {
      sums.slower_than_native[side] += slower_than_native(measured, choices[side], equals) ? 1 : 0;
    }
  }
  return ratio ? std::optional{ratio->most} : std::nullopt;
}

}  // namespace

bool ComparedCell::as_good() const {
  return std::ranges::all_of(
             log_ratio,
             [](const auto& ratio) { return !ratio || std::abs(ratio->mean) <= kLogNearBest; }) &&
         std::ranges::any_of(log_ratio, [](const auto& ratio) { return ratio.has_value(); });
}

std::optional<int> Comparison::worse() const {
  for (const std::size_t side : {0U, 1U}) {
    bool worse = std::ranges::any_of(on_data, says);
    for (const std::size_t of : {0U, 1U}) {
      if (!says(on_data[of])) continue;
      const stats::Belief& ratio = on_data[of]->log_ratio;
      const stats::Belief loss = side == 0 ? ratio : stats::Belief{} - ratio;
      worse &= exceeds(loss, says(on_data[side]) ? 0 : kLogNearBest);
    }
    if (worse) return static_cast<int>(side);
  }
  return std::nullopt;
}

bool Comparison::each_slower_by_the_other() const {
  const auto& [first, second] = on_data;
  return says(first) && says(second) && exceeds(second->log_ratio, kLogNearBest) &&
         exceeds(stats::Belief{} - first->log_ratio, kLogNearBest);
}

Comparison compare(const Side& first, const Side& second) {
  require_comparable(first, second);
  Comparison comparison;
  EqualNames equals;
  const std::array<const Side*, 2> sides{&first, &second};
  std::array<bool, 2> all_aside{};
  for (std::size_t i = 0; i < 2; ++i) {
    if (!sides[i]->data.empty()) comparison.on_data[i].emplace();
    all_aside[i] = all_oversubscribed(sides[i]->data);
  }
  for (const Case& problem : problems_of(first, second)) {
    const std::array choices{chosen(first.table, problem), chosen(second.table, problem)};
    ComparedCell cell{.problem = problem,
                      .choices = {choices[0].variant, choices[1].variant},
                      .same = same(choices[0], choices[1], equals)};
    for (std::size_t i = 0; i < 2; ++i) {
      const Decision* const measured = find(sides[i]->data, problem);
      if (measured == nullptr) continue;
      const bool aside = measured->oversubscribed && !all_aside[i];
      cell.log_ratio[i] = judge(*measured, choices, aside, equals, *comparison.on_data[i]);
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
