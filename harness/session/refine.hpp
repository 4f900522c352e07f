// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "core/case.hpp"
#include "harness/plan/sweep.hpp"
#include "tuner/refinement.hpp"

namespace breakeven::session {

/// The rounds in which a sweep draws in on its break-even points, once all sizes that were asked
/// for are measured. Each follows from what was measured in the ones before it and from nothing
/// else, so that a sweep that was killed anywhere, and `status`, come to the same rounds again.
class Refining {
 public:
  /// @param asked  the plan of the sweep as asked, whole
  Refining(const plan::Sweep& sweep, const plan::SweepPlan& asked);

  /// The next round, once all of the one before is measured, has failed or was pruned; nothing
  /// when there is none, or none was asked for.
  /// @param measurements  of the sweep's machine; those of problems that this sweep has not are
  ///                      left aside
  [[nodiscard]] std::optional<plan::SweepPlan> next(std::span<const Measurement> measurements);

  /// After a round: "refinement, round 2: 5 sizes, where 3 of 7 break-even points ...".
  [[nodiscard]] std::string text() const;

 private:
  const plan::Sweep& sweep_;
  std::set<Case> problems_;  ///< that were planned so far
  std::uint64_t round_ = 0;
  tuner::Refinement refinement_{};
};

/// What to say beside a number of measurements that refinement will add to.
inline constexpr std::string_view kRefinementToCome =
    "refinement comes on top: which sizes, and how many, depends on the results";

}  // namespace breakeven::session
