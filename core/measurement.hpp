// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "core/fields.hpp"
#include "core/names.hpp"
#include "core/units.hpp"

namespace breakeven {

/// Minimum, mean and maximum over the ranks of each rank's mean duration, as OSU and IMB print
/// them.
struct RankMeans {
  Seconds min{};
  Seconds avg{};
  Seconds max{};
  friend bool operator==(const RankMeans&, const RankMeans&) = default;
};

constexpr auto fields(std::type_identity<RankMeans>) {
  return kPlainFields<&RankMeans::min, &RankMeans::avg, &RankMeans::max>;
}

/// Why a case's sampling ended.
enum class Stop : std::uint8_t {
  precise,      ///< the interval of its median is as narrow as was asked
  slower,       ///< it is slower by far than another candidate of its problem
  repetitions,  ///< all repetitions are done
  budget,       ///< its time is spent
};
inline constexpr Names<Stop, 4> kStops{"stop",
                                       {{{Stop::precise, "precise"},
                                         {Stop::slower, "slower"},
                                         {Stop::repetitions, "repetitions"},
                                         {Stop::budget, "budget"}}}};
constexpr const auto& names(Stop) { return kStops; }

/// The parts of a call that returns before it is complete. Times are medians over some repetitions,
/// of the slowest rank's own. The work is arithmetic, the same for all candidates of a problem: as
/// long as native's call.
struct Overlap {
  Seconds start{};                ///< in the call that starts it
  std::optional<Seconds> make{};  ///< of a persistent call: to make it, and to free it
  Seconds call{};                 ///< from the start to the completion, without work
  Seconds work{};                 ///< alone
  Seconds worked{};               ///< start, work, completion
  Seconds tested{};               ///< the same with a test every `test_every` of the work
  Seconds test_every{};
  friend bool operator==(const Overlap&, const Overlap&) = default;
};
constexpr auto fields(std::type_identity<Overlap>) {
  return kPlainFields<&Overlap::start, &Overlap::make, &Overlap::call, &Overlap::work,
                      &Overlap::worked, &Overlap::tested, &Overlap::test_every>;
}

/// The share of the call or of the work, whichever is shorter, that the other one hides: Intel's
/// definition [imb2021]. OSU's [osu2024] is of the call, with work as long as the call: then it is
/// the same. Both tools show values below 0, where the call slows the work, as 0.
/// @param both  Overlap::worked or Overlap::tested
[[nodiscard]] inline double hidden_share(const Overlap& of, Seconds both) {
  const double shorter = std::min(of.call.value, of.work.value);
  return shorter > 0 ? (of.call.value + of.work.value - both.value) / shorter : 0;
}

/// The result of a case in one launch, from the worker to the database.
struct CaseResult {
  /// The slowest rank's own duration of each repetition, in the order measured, without warm-up.
  std::vector<Seconds> local{};
  /// Of the same repetitions, from the first rank's start to the last one's end on the global
  /// clock; empty without one.
  std::vector<Seconds> global{};
  int warmups = 0;  ///< calls that are not kept: the checked one, warm-up found, before each block
  int invalid = 0;  ///< repetitions that a rank did not begin or end in time, not kept
  std::optional<Stop> stop{};
  std::optional<RankMeans> rank_means{};
  std::optional<Overlap> overlap{};  ///< of calls that return before they are complete
  friend bool operator==(const CaseResult&, const CaseResult&) = default;
};
constexpr auto fields(std::type_identity<CaseResult>) {
  return kPlainFields<&CaseResult::local, &CaseResult::global, &CaseResult::warmups,
                      &CaseResult::invalid, &CaseResult::stop, &CaseResult::rank_means,
                      &CaseResult::overlap>;
}

}  // namespace breakeven
