// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "core/case.hpp"
#include "core/units.hpp"
#include "harness/protocol.hpp"

namespace breakeven {

/// Consecutive cases of a request, by index: the candidates of one problem.
struct CandidateRange {
  int first = 0;
  int count = 0;
  friend bool operator==(const CandidateRange&, const CandidateRange&) = default;
};

/// Cuts the cases where they differ in more than algorithm and parameters; keeps their order.
[[nodiscard]] std::vector<CandidateRange> problems_of(std::span<const Case> cases);

/// The samples of a case that takes `per_sample`: as many of the repetitions as the case's budget
/// has time for, but never less than the plan's least, or all of them if these are fewer.
[[nodiscard]] int samples_wanted(const MeasurePlan& plan, Seconds per_sample);

/// How many of `wanted` samples are taken in interleaved block `block`; all blocks' sum is
/// `wanted`.
[[nodiscard]] int samples_in_block(const MeasurePlan& plan, int wanted, int block);

}  // namespace breakeven
