// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>

#include "tuner/table.hpp"
#include "tuner/verify/verification.hpp"

namespace breakeven::verify {

/// The table with native in the place of its choice for the sizes [from, to) of a problem's
/// collective, mapping and p. Where this p was not measured it gets a rule of its own: native, for
/// all sizes.
[[nodiscard]] tuner::Table with_default(tuner::Table table, const Case& problem, Bytes from,
                                        Bytes to);

/// The table with native wherever a verification found it not to hold: in cells that fail, and for
/// rules whose cells together were not found faster, with some counts.
/// @param rewritten  how many rules were touched
[[nodiscard]] tuner::Table where_verified(tuner::Table table, const Verification& verification,
                                          int& rewritten);

}  // namespace breakeven::verify
