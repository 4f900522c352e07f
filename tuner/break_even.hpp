// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/units.hpp"
#include "tuner/decision.hpp"

namespace breakeven {

/// The message size from which on, inclusive, the choice of `larger` takes over from the choice of
/// `smaller`: neighbouring sizes of one problem with different choices.
///
/// Where the straight lines through both choices' medians at the two sizes cross, rounded up to a
/// whole element: exact when times are linear in the size. The medians are those with the counts
/// with which the choice of `larger` is worth least. Where these four medians are not there,
/// or the lines do not cross between the sizes, the geometric mean of the sizes, rounded likewise.
/// Always above the smaller size and at most the larger one.
[[nodiscard]] Bytes break_even(const Decision& smaller, const Decision& larger);

}  // namespace breakeven
