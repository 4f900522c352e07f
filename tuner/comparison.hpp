// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "stats/belief.hpp"
#include "tables/table.hpp"
#include "tuner/decision.hpp"

namespace breakeven::tuner {

/// A table, and the data that it was made of or that it is judged by.
struct Side {
  std::string name{};
  tables::Table table{};
  std::vector<Decision> data{};  ///< none: a table alone
};

/// The choices of two tables for one problem.
struct ComparedCell {
  Case problem{};  ///< without algorithm; equal counts
  std::array<Variant, 2> choices{};
  bool same = false;  ///< the same algorithm with its parameters, or equal schedules
  /// log(time of the first's choice / time of the second's), by the data of each side: with the
  /// counts where it differs most from none. Nothing where it was not measured.
  std::array<std::optional<stats::Belief>, 2> log_ratio{};

  /// Whether data say that the choices differ by at most kNearBest.
  [[nodiscard]] bool as_good() const;
};

/// How both tables do by the data of one side.
struct OnData {
  int cells = 0;         ///< at which both choices were measured
  int not_measured = 0;  ///< at which one of them was not
  int aside = 0;  ///< more processes than cores, where others have none: in nothing that follows
  stats::Belief log_ratio{};    ///< of first / second, the mean over cells, not smoothed over sizes
  std::array<Case, 2> worst{};  ///< where each loses most to the other
  std::array<double, 2> worst_loss{};  ///< its time / the other's - 1, 0 or more
  /// Cells where it is significantly more than kNearBest slower than native.
  std::array<int, 2> slower_than_native{};
};

struct Comparison {
  std::vector<ComparedCell> cells{};
  std::array<std::optional<OnData>, 2> on_data{};
  std::vector<std::string> remarks{};  ///< how the sides' machines differ, and drifted

  /// 0 or 1: the side that is slower than the other by all data, with an interval of 95 %; nothing
  /// where neither is. A table fits the data that it was made of better than any other table: by
  /// the data of the other side alone a side has to be slower by more than kNearBest.
  [[nodiscard]] std::optional<int> worse() const;
  /// Whether each side is slower by the other's data by more than kNearBest, with an interval of
  /// 95 %: the decisions of neither hold for the other.
  [[nodiscard]] bool each_slower_by_the_other() const;
};

/// Compares two tables at the problems that either side has measured, or, where neither has data,
/// at the first and the last size of each rule.
/// @throws UsageError when the tables are of different datatypes, operations or roots.
[[nodiscard]] Comparison compare(const Side& first, const Side& second);

/// The comparison for people: how many choices are alike, what each table loses, and where they
/// differ, a line for neighbouring sizes with the same two choices.
[[nodiscard]] std::string comparison_text(const Comparison& comparison, const Side& first,
                                          const Side& second);

/// The same as JSON, cell by cell; ratios are the first's time / the second's.
[[nodiscard]] std::string comparison_json(const Comparison& comparison, const Side& first,
                                          const Side& second);

}  // namespace breakeven::tuner
