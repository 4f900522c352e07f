// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "core/names.hpp"
#include "stats/case_times.hpp"

namespace breakeven::tuner {

/// How much a choice may be relied on. Later values are worse.
enum class Certainty : std::uint8_t {
  decided,  ///< significantly faster than every other candidate, launch by launch, with all counts
  undecided,  ///< not so, or there was no other candidate to compare it with
  too_few,    ///< it rests on fewer than kLeastLaunches launches
};
inline constexpr Names<Certainty, 3> kCertainties{"certainty",
                                                  {{{Certainty::decided, "decided"},
                                                    {Certainty::undecided, "undecided"},
                                                    {Certainty::too_few, "too_few"}}}};

/// One way to solve a problem, as measured: an algorithm with its parameters, or native.
struct Candidate {
  stats::CaseTimes times{};
  stats::Estimate seconds{};  ///< over the launches

  [[nodiscard]] bool native() const { return times.what.algorithm == kNative; }
  [[nodiscard]] bool enough_launches() const { return seconds.count >= stats::kLeastLaunches; }
  /// Whether `what` is the same algorithm with the same parameters, at whatever size.
  [[nodiscard]] bool is(const Case& what) const {
    return times.what.algorithm == what.algorithm && times.what.params == what.params;
  }
};

/// The least speedup over native for which a candidate is chosen in its place. That a speedup is
/// significant says that it is there, not that it matters: the same ratio measured on
/// another day is a percent or so off, and a rule for less can only go wrong, at sizes and in
/// layouts that were not measured.
inline constexpr double kLeastSpeedup = 1.01;

/// The candidates of one problem: times of two problems are never compared.
struct Contest {
  Case problem{};                       ///< without algorithm and parameters
  std::vector<Candidate> candidates{};  ///< with enough launches first, of these the fastest first

  [[nodiscard]] const Candidate& fastest() const { return candidates.front(); }
  /// The candidate with the algorithm and parameters of `what`; null when it was not measured.
  [[nodiscard]] const Candidate* find(const Case& what) const;
  [[nodiscard]] const Candidate* native() const;
};

/// Which candidate to use for one problem, whatever its counts, and how certain that is.
struct Decision {
  Case problem{};                   ///< without algorithm and parameters; its counts are equal
  std::vector<Contest> contests{};  ///< one for each kind of counts that was measured
  std::size_t worst = 0;            ///< of the contests, that in which the choice is worth least
  std::size_t chosen = 0;           ///< index into its candidates
  Certainty certainty =
      Certainty::too_few;  ///< of all contests the worst, as are speedup and regret
  std::optional<stats::Estimate>
      speedup{};  ///< native / chosen, launches paired; nothing without native
  std::optional<stats::Estimate> regret{};  ///< see regret_of
  bool oversubscribed = false;              ///< in any launch of any candidate

  [[nodiscard]] const Contest& contest() const { return contests[worst]; }
  [[nodiscard]] const Candidate& choice() const { return contest().candidates[chosen]; }
  /// Null when nothing was measured with these counts.
  [[nodiscard]] const Contest* with(Counts counts) const;
};

/// How much slower a choice is than the fastest candidate, choice / fastest - 1 with its interval,
/// launches paired; 0 at least. Nothing where no launch measured both.
[[nodiscard]] std::optional<stats::Estimate> regret_of(const Candidate& choice,
                                                       const Candidate& fastest);

/// Whether two problems differ only in message size, apart from counts.
[[nodiscard]] bool differ_in_size_alone(const Case& one, const Case& other);

/// The only choice for all problems of a collective, by variant_text.
using FixedChoices = std::map<Collective, std::string>;

/// One decision for all problems that differ in their counts alone; those that differ in their
/// message size alone stand together, the smaller first. The measurements are of one machine.
///
/// No table can ask for the counts, so all that is said of a candidate holds for every one of them
/// that was measured; who was not measured with all of them is no choice, and where that is nobody,
/// there is no decision.
///
/// Native is chosen unless another is worth leaving it for: significantly faster, and by
/// kLeastSpeedup in the median. The default wins a tie. Of those worth it, what was chosen at the
/// next smaller size, when it is not significantly slower than the fastest, and at most 5 % in the
/// median; otherwise the fastest: with several counts, whose least speedup over native, or else
/// over the fastest of each, is the greatest. A candidate with fewer than kLeastLaunches launches
/// is chosen only when none has more: then native, for want of evidence against it, or else the
/// fastest, and the decision is `too_few`. A choice that is fixed needs to be measured, and no
/// more.
[[nodiscard]] std::vector<Decision> decide(std::span<const Measurement> measurements,
                                           const FixedChoices& fixed = {});

}  // namespace breakeven::tuner
