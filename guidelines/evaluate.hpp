// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.hpp"
#include "core/names.hpp"
#include "core/units.hpp"
#include "guidelines/catalogue.hpp"
#include "stats/case_times.hpp"
#include "stats/median.hpp"

namespace breakeven::guidelines {

/// The implementation that takes the fastest candidate of every collective and cell, as a tuned
/// library would.
inline constexpr std::string_view kBest = "best";

struct EvaluateOptions {
  std::string implementation{kNative};  ///< kNative, kBest, or an algorithm's name
  double tolerance = 0.05;              ///< left may take 1 + tolerance times as long as right
  std::vector<const Guideline*> guidelines{kGuidelines.begin(), kGuidelines.end()};
};

enum class GuidelineVerdict : std::uint8_t {
  violated,   ///< the ratio's interval lies above 1 + tolerance
  undecided,  ///< 1 + tolerance lies within it
  holds,      ///< the interval lies at or below 1 + tolerance
  too_few,    ///< fewer than kLeastLaunches launches measured all terms
};
inline constexpr Names<GuidelineVerdict, 4> kGuidelineVerdicts{
    "verdict",
    {{{GuidelineVerdict::violated, "violated"},
      {GuidelineVerdict::undecided, "undecided"},
      {GuidelineVerdict::holds, "holds"},
      {GuidelineVerdict::too_few, "too_few"}}}};

/// Layout and data of a case. Collectives are compared only with the same.
struct CellGroup {
  NodeLayout layout{};
  Datatype datatype = Datatype::int_;
  friend auto operator<=>(const CellGroup&, const CellGroup&) = default;
};

/// Where one guideline is tested. `root` is 0 unless one of its terms has one.
struct Cell {
  CellGroup group{};
  Op op = Op::none;
  Rank root{};
  Bytes total{};  ///< the whole vector; collectives are matched by it
  friend auto operator<=>(const Cell&, const Cell&) = default;
};

/// A guideline in one cell.
struct GuidelineResult {
  Cell cell{};
  std::vector<Case> terms{};  ///< what stood for the left side, then for each part of the right
  Seconds left{};             ///< median over the launches that measured all terms
  Seconds right{};            ///< the parts summed in each of these launches
  stats::Estimate ratio{};    ///< left / right; the launches are paired
  GuidelineVerdict verdict = GuidelineVerdict::too_few;
  bool oversubscribed = false;
};

/// A group in which a guideline could not be tested.
struct Gap {
  CellGroup group{};
  std::string text{};  ///< what to sweep so that it can be
};

struct Outcome {
  const Guideline* guideline = nullptr;
  std::vector<GuidelineResult> findings{};  ///< in the order of the cells
  std::vector<Gap> gaps{};
};

struct Evaluation {
  std::string implementation{};
  double tolerance = 0;
  std::vector<Outcome> outcomes{};  ///< one per guideline asked for
};

/// Tests the guidelines in every cell in which all their terms were measured, on one machine.
///
/// Where several candidates may stand for a term (kBest; an algorithm with several parameters),
/// the one with the smallest median does, of those with kLeastLaunches launches if there are any.
/// @throws UsageError when nothing was measured, or when `implementation` is an algorithm that was
///         not measured for a collective that one of the guidelines needs.
[[nodiscard]] Evaluation evaluate(std::span<const Measurement> measurements,
                                  const EvaluateOptions& options = {});

/// How many findings have this verdict.
[[nodiscard]] int count(const Outcome& outcome, GuidelineVerdict verdict);

/// Findings with a verdict other than too_few.
[[nodiscard]] int tested(const Outcome& outcome);

/// 1 when a guideline is violated anywhere; else 2 when one of them could not be tested anywhere;
/// else 0.
[[nodiscard]] int exit_status(const Evaluation& evaluation);

}  // namespace breakeven::guidelines
