// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace breakeven::stats {

/// The one-sided p-value of "a value is above the bound with a probability of at most one half",
/// after so many of so many values were above it. It is exact, whatever the values' distribution,
/// and it may be looked at after every value, with more values taken until it is small: the
/// probability that it ever gets to a level or below is at most that level.
///
/// It is the inverse of the wealth of a bettor who begins with 1, spreads it over all probabilities
/// from one half to one alike, and bets each part on "above" as is best if it is right
/// [ramdas2023].
[[nodiscard]] double anytime_sign_test(int above, int values);

}  // namespace breakeven::stats
