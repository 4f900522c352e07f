// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "core/units.hpp"
#include "tuner/decision.hpp"

namespace breakeven::tuner {

/// The break-even point between `smaller` and `larger`, neighbouring sizes of one problem with
/// different choices: the first message size of the choice of `larger`.
///
/// It is where the straight lines through both choices' times at the two sizes cross, rounded up
/// to a whole element: exact if times are linear in the size. The times are those with the counts
/// for which the choice of `larger` has the smallest speedup. If one of the four times is
/// missing, or the lines do not cross between the sizes, it is the rounded geometric mean of the
/// sizes. Always above the smaller size and at most the larger one.
[[nodiscard]] Bytes break_even(const Decision& smaller, const Decision& larger);

/// How fast both choices part around that point: at sizes that differ from it by a factor f the
/// wrong choice takes about f to this power times as long. Nothing where one of the four times is
/// missing.
[[nodiscard]] std::optional<double> steepness(const Decision& smaller, const Decision& larger);

/// A break-even point between two measured sizes, rounded to the fewest digits with which it lies
/// between them: "~3 KiB"; the size itself where nothing was measured below.
[[nodiscard]] std::string break_even_text(Bytes point, Bytes below, Bytes above);

}  // namespace breakeven::tuner
