// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace breakeven {

/// The rank of every value, counted from 1; equal values share the mean of theirs.
[[nodiscard]] std::vector<double> midranks(std::span<const double> values);

/// Up to so many values a test's distribution is counted out, with ties as they are; its counts are
/// then whole numbers that a double holds. Beyond it is taken for normal, with corrections for ties
/// and for continuity.
inline constexpr std::size_t kMostCounted = 50;

/// How likely a statistic this extreme is when nothing differs.
struct RankTest {
  double statistic = 0;
  double less = 1;       ///< one-sided p-value: against the first being smaller
  double greater = 1;    ///< one-sided p-value: against the first being greater
  double two_sided = 1;  ///< twice the smaller one of these, 1 at most
  bool exact = false;    ///< counted out, not taken for normal
};

/// Whether one of two independent samples tends to be greater. The statistic is Mann and Whitney's
/// U: the pairs in which the first one's value is greater, equal ones as a half.
///
/// Exact for kMostCounted values in both together. No test, all p-values 1, when all are equal.
/// @throws Error when a sample is empty.
/// @see Wilcoxon, Individual Comparisons by Ranking Methods, 1945; Mann and Whitney, 1947;
///      Lehmann, Nonparametrics, section 1.4 (ties)
[[nodiscard]] RankTest rank_sum_test(std::span<const double> first, std::span<const double> second);

/// Whether paired differences, first minus second, tend to be above or below zero. The statistic is
/// the sum of the ranks by size of those above.
///
/// Zeros take part in the ranking and are left out of the sum (Pratt). Exact for kMostCounted
/// differences that aren't zero. All p-values are 1 when all are zero.
/// @throws Error when there is no difference.
/// @see Wilcoxon, 1945; Pratt, Remarks on Zeros and Ties in the Wilcoxon Signed Rank Procedures,
/// 1959
[[nodiscard]] RankTest signed_rank_test(std::span<const double> differences);

}  // namespace breakeven
