// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <span>

#include "core/case.hpp"
#include "core/program_time.hpp"
#include "tuner/contest.hpp"

namespace breakeven::tuner {

/// Why a candidate should be measured again.
struct Gain {
  /// By how much shorter the choice is expected to take, as a share of its time, were it known
  /// whether the candidate is faster; times the doublings of the size that its size stands for,
  /// as a program's time weighs them.
  double expected = 0;
  int launches = 0;        ///< more that it probably takes until less than `least` is left to gain
  bool reference = false;  ///< a fastest, or native: every launch of its problem needs it
  bool near = false;       ///< within kNearBest of a fastest
};

/// Of each candidate: if it takes longer than the fastest by d, as a logarithm, the expectation of
/// max(0, -d), where d is normally distributed; the greatest of the kinds of tables
/// (`Candidates`), since every kind has a fastest of its own, which gains nothing itself. A
/// fastest, native and candidates within kNearBest of a fastest gain infinitely much while they
/// have fewer than kLeastLaunches launches, because a table could not choose them; so do candidates
/// as near at a neighbouring size, because one launch does not tell a jump from a disturbance.
/// @param least  gain that does not matter, more than 0
/// @param planned  sizes in each line of sizes that are still to be measured
/// @param time  of a program, by which problems count: weights_of
/// @see [chick2001], whose expected opportunity cost it is
[[nodiscard]] std::map<Case, Gain> expected_gains(const Contests& contests, double least,
                                                  std::span<const Bytes> planned = {},
                                                  const ProgramTime& time = {});

/// The time of the program that an expected gain of 1 is.
/// @param contests, planned, time  as of expected_gains
[[nodiscard]] Seconds time_of_gain(const Contests& contests, std::span<const Bytes> planned,
                                   const ProgramTime& time);

}  // namespace breakeven::tuner
