// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bench/same_algorithm/control_variable.hpp"
#include "core/case.hpp"
#include "core/statistics.hpp"
#include "core/units.hpp"
#include "executor/communicator.hpp"

namespace breakeven::bench {

/// How long an algorithm of ours takes beside the library's.
struct Comparison {
  Seconds ours{};  ///< median over the rounds of their medians
  Seconds library{};
  Estimate ratio{};  ///< of ours to the library's within a round, over the rounds
};

/// Collective; the same result on all ranks.
///
/// In each round both take turns, in an order drawn by lot, with a block of calls on the same
/// buffers. Each call begins with a barrier and takes as long as its slowest rank does. The data of
/// both is checked before and after all rounds.
/// @param ours      a case of one of our algorithms
/// @param variable  says which algorithm the library takes for this collective
/// @param forced    the variable's number for the library's algorithm
/// @throws Error when the variable does not take it, or VerificationError on wrong data.
[[nodiscard]] Comparison compare(const Case& ours, ControlVariable& variable, int forced,
                                 const Communicator& comm, int rounds);

}  // namespace breakeven::bench
