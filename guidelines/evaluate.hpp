// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "core/names.hpp"
#include "core/units.hpp"
#include "guidelines/baseline.hpp"
#include "guidelines/comparison.hpp"
#include "stats/belief.hpp"

namespace breakeven::guidelines {

struct EvaluateOptions {
  double tolerance = 0.05;  ///< the least difference that matters: left / right up to 1 + tolerance
  std::vector<const Guideline*> guidelines{};  ///< empty: all
  bool fail_on_undecided = false;              ///< see fails()
  std::span<const Launch> launches{};          ///< of the measurements, for their calibrations
  Baseline baseline{};                         ///< of an earlier time
};

/// The probability that any comparison of a machine without violations is called violated.
inline constexpr double kLevel = 0.05;

enum class Verdict : std::uint8_t { violated, undecided, holds };
inline constexpr Names<Verdict, 3> kVerdicts{"verdict",
                                             {{{Verdict::violated, "violated"},
                                               {Verdict::undecided, "undecided"},
                                               {Verdict::holds, "holds"}}}};

/// A violation's relation to those of the baseline.
enum class Since : std::uint8_t { baseline, worse, newly };
inline constexpr Names<Since, 3> kSince{
    "since", {{{Since::baseline, "known"}, {Since::worse, "worse"}, {Since::newly, "new"}}}};

/// A comparison, judged.
struct Finding {
  Comparison comparison{};
  Seconds left{};                  ///< median over the launches
  Seconds right{};                 ///< the same, times the factor
  std::optional<Seconds> parts{};  ///< of a mock-up: see sum_of_parts()
  stats::RatioInterval ratio{};    ///< left / right: see stats::moderate()
  int launches = 0;                ///< that measured both sides
  int above = 0;                   ///< of these, in which left / right is above 1 + tolerance
  double p_value = 1;              ///< adjusted for all comparisons and looks
  Verdict verdict = Verdict::undecided;
  Since since = Since::newly;  ///< if it is violated
  bool aside = false;          ///< more processes than cores, where other comparisons have none
  std::string cause{};         ///< why it is undecided for any times: see other_cause()
  std::string waived{};        ///< why it is accepted; empty: it is not
  Variant best{};              ///< the fastest in the left side's problem that a table can choose
};

struct Evaluation {
  double tolerance = 0;
  bool fail_on_undecided = false;
  std::vector<Finding> findings{};     ///< by guideline, then by problem; those aside last
  Drifts drifts{};                     ///< of the machine since the baseline
  std::vector<std::string> remarks{};  ///< further facts for readers of the comparison
  std::vector<Finding> gone{};         ///< of the baseline's violations, those that hold now
  std::vector<const Guideline*> not_tested{};  ///< asked for by name, and nowhere measured
};

/// Judges the guidelines wherever both sides were measured, on one machine: see judge().
/// Comparisons with more processes than cores, which take turns, are judged apart from the others;
/// then no sum counts them, and they never fail.
/// @throws UsageError when nothing was measured, or native nowhere.
[[nodiscard]] Evaluation evaluate(std::span<const Measurement> measurements,
                                  const EvaluateOptions& options = {});

/// Judges all comparisons of a machine together, from their launches.
///
/// *Violated*: kLeastLaunches or more contradict left <= (1 + tolerance) right by a moderated test
/// (stats::moderate()) that is corrected for the looks after each launch and, by Holm, for the
/// number of comparisons; so a machine without violations is accused with a probability of kLevel
/// at most, however often it is measured again. *Holds*: the ratio's interval ends at or below
/// 1 + tolerance. *Undecided* otherwise.
void judge(std::span<Finding> findings, double tolerance);

/// More processes than cores on some node, on either side.
[[nodiscard]] bool oversubscribed(const Finding& finding);

/// A violation that is neither waived nor, as bad, in the baseline with any right side; with
/// `fail_on_undecided` also an undecided comparison that is not waived and that no other cause than
/// the library explains.
[[nodiscard]] bool fails(const Evaluation& evaluation, const Finding& finding);

/// The findings with this verdict that are not aside.
[[nodiscard]] int count(const Evaluation& evaluation, Verdict verdict);

/// The same findings, the largest ratio first.
[[nodiscard]] std::vector<const Finding*> worst(const Evaluation& evaluation, Verdict verdict);

/// Both sides of the findings with a verdict that are not aside.
[[nodiscard]] std::set<Case> cases_with(const Evaluation& evaluation, Verdict verdict);

/// 1 when a comparison fails; else 2 when nothing is decided, or the machine or its transports
/// changed so much since the baseline that it can't be judged; else 0.
[[nodiscard]] int exit_status(const Evaluation& evaluation);

/// Violations that are accepted for a time: an entry of a file of TOML,
///
///     [[waiver]]
///     guideline = "allreduce_as_reduce+bcast"   # a guideline, a family or a collective
///     reason = "reported to the library"
///     expires = 2027-01-31                      # the last day on which it holds
struct Waiver {
  std::vector<const Guideline*> guidelines{};
  std::string reason{};
  std::chrono::year_month_day expires{};
};

/// @throws UsageError in one line naming file, line and what is possible.
[[nodiscard]] std::vector<Waiver> read_waivers(const std::string& file);

/// Enters the reason of each valid waiver in the findings of its guidelines.
/// @return a line for each waiver that has expired
[[nodiscard]] std::vector<std::string> waive(Evaluation& evaluation,
                                             std::span<const Waiver> waivers,
                                             std::chrono::year_month_day today);

}  // namespace breakeven::guidelines
