// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/case.hpp"
#include "core/units.hpp"
#include "executor/communicator.hpp"
#include "stats/median.hpp"

namespace breakeven::bench {

/// How long an algorithm of ours takes beside the library's.
struct Comparison {
  Seconds ours{};  ///< median over the rounds of their medians
  Seconds library{};
  stats::Estimate ratio{};  ///< of ours to the library's within a round, over the rounds
};

/// Collective; the same result on all ranks.
///
/// In each round both take turns, in an order drawn by lot, with a block of calls on the same
/// buffers. Each call begins with a barrier and takes as long as its slowest rank does. The data of
/// both is checked before and after all rounds.
/// @param ours     a case of one of our algorithms
/// @param library  the same problem with one of the library's own, see bind_candidate
/// @throws UsageError when the library has none of that name or would not run it as it is named, or
///         VerificationError on wrong data.
[[nodiscard]] Comparison compare(const Case& ours, const Case& library, const Communicator& comm,
                                 int rounds);

}  // namespace breakeven::bench
