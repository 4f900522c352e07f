// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/halving.hpp"
#include "kernels/problem.hpp"
#include "kernels/schedule.hpp"

namespace breakeven::kernels::reduce {

/// Appends the gather that follows a reduce-scatter by halving, back along its steps: of a pair,
/// the process goes on whose number has the same binary digit as the root's, and receives what the
/// other one holds. There are as many processes as the schedule has blocks.
/// @param me, root  numbers from 0 on
/// @param held      what the reduce-scatter left with `me`, in the output
/// @param rank      number -> Rank
template <typename RankOf>
void gather_halves(Schedule& schedule, int me, int root, BlockRange held, const RankOf& rank) {
  for (int distance = schedule.blocks / 2; distance >= 1; distance /= 2) {
    const int twin = me ^ distance;
    if (((me ^ root) & distance) != 0) {
      schedule.round({Send{rank(twin), output(held.first), held.count}});
      return;
    }
    const BlockRange missing = other_half(held, twin < me);
    schedule.round({Recv{rank(twin), output(missing.first), missing.count}});
    held = joined(held, missing);
  }
}

}  // namespace breakeven::kernels::reduce
