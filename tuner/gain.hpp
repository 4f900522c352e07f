// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>

#include "core/case.hpp"
#include "tuner/contest.hpp"

namespace breakeven::tuner {

/// Below it nothing is measured again: 0.01 % over one doubling of the message size.
inline constexpr double kLeastGain = 0.0001;

/// Why a candidate should be measured again.
struct Gain {
  /// By how much shorter the choice is expected to take, as a share of its time, were it known
  /// whether the candidate is faster; times the doublings of the size that its size stands for.
  double expected = 0;
  int launches = 0;        ///< more that it probably takes until less than `least` is left to gain
  bool reference = false;  ///< a fastest, or native: all others are compared with these
};

/// Of each candidate: if it takes longer than the fastest by d, as a logarithm, the expectation of
/// max(0, -d), where d is normally distributed; the greatest of the kinds of tables (`Candidates`),
/// since every kind has a fastest of its own. The fastest and native gain as much as the best of
/// the others, and infinitely much while they have fewer than kLeastLaunches launches.
/// @param least  gain that does not matter, more than 0
/// @see [chick2001], whose expected opportunity cost it is
[[nodiscard]] std::map<Case, Gain> expected_gains(const Contests& contests,
                                                  double least = kLeastGain);

}  // namespace breakeven::tuner
