// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "core/names.hpp"
#include "stats/median.hpp"

namespace breakeven::verify {

/// How much slower than the default a problem may be with the table before that counts against it:
/// nobody notices less, and a machine drifts by as much between two days.
inline constexpr double kToleratedLoss = 0.03;

enum class Effect : std::uint8_t {
  faster,     ///< the interval of the speedup lies above 1
  slower,     ///< it lies below 1
  undecided,  ///< it contains 1: no difference was shown
  same,       ///< the same call: there is nothing to measure
};
inline constexpr Names<Effect, 4> kEffects{"effect",
                                           {{{Effect::faster, "faster"},
                                             {Effect::slower, "slower"},
                                             {Effect::undecided, "undecided"},
                                             {Effect::same, "same"}}}};
[[nodiscard]] Effect effect_of(const stats::Estimate& speedup);

/// A problem on which a table is tried.
struct TriedProblem {
  Case problem{};    ///< without algorithm and parameters
  Variant choice{};  ///< of the table
  /// The case that is compared with native: Tuned where the table is in force for a job, else the
  /// choice itself. Where that is native there is nothing to measure.
  Case with_table{};

  [[nodiscard]] Case by_default() const;
  [[nodiscard]] bool same_either_way() const { return with_table == by_default(); }
};

/// A problem that was solved by default and with the table.
struct VerifiedCell {
  Case problem{};
  Variant choice{};  ///< of the table
  /// Default / with the table: the geometric mean over the launches, in pairs, with Student's
  /// interval of the logarithms at 95 %. Exactly 1, of no launch, where both are the same call.
  stats::Estimate speedup{};
  Effect effect = Effect::same;
  /// More processes than cores, where other cells have none: in no mean, and in no verdict but its
  /// own.
  bool aside = false;
  /// Significantly slower by more than kToleratedLoss: with 95 % no cell of all of them, or of all
  /// that are aside, says so by chance.
  bool fails = false;

  [[nodiscard]] bool changed() const { return !choice.is<Native>(); }
};

/// The result of a table's trial.
struct Verification {
  std::vector<VerifiedCell> cells{};  ///< by problem
  bool oversubscribed = false;        ///< all that were measured have more processes than cores
  stats::Estimate speedup{};          ///< the geometric mean over all cells, in each launch
  std::optional<stats::Estimate>
      speedup_of_changed{};  ///< over those that the table changes, if any

  /// Of those that are not aside.
  [[nodiscard]] bool any_fails() const;
  /// Whether the table makes the problems that it changes significantly faster, as a whole.
  [[nodiscard]] bool better() const { return speedup_of_changed && speedup_of_changed->low > 1; }
};

/// @param measurements  of each problem by default and with the table; paired by their repeat, and
///                      within one launch unless the table is in force for whole jobs (Tuned)
/// @throws UsageError when no problem was measured both ways in two repeats, though some were to
/// be.
[[nodiscard]] Verification verify_table(std::span<const Measurement> measurements,
                                        std::span<const TriedProblem> tried);

}  // namespace breakeven::verify
