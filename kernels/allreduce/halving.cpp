// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/allreduce/halving.hpp"

#include <algorithm>

namespace breakeven::allreduce {

BlockRange half(BlockRange range, bool upper) {
  const int count = range.count / 2;
  return {range.first + (upper ? count : 0), count};
}

BlockRange halve(Schedule& schedule, Rank me, Rank twin, BlockRange held, Buffer partial) {
  const bool upper = twin < me;
  const BlockRange keep = half(held, upper);
  const BlockRange give = half(held, !upper);
  const Location own{partial, keep.first};
  const Location other = scratch(keep.first);
  schedule.round(
      {Send{twin, {partial, give.first}, give.count}, Recv{twin, other, keep.count}},
      {Reduce{upper ? other : own, upper ? own : other, output(keep.first), keep.count}});
  return keep;
}

BlockRange rejoin(Schedule& schedule, Rank me, Rank twin, BlockRange held) {
  const int missing = twin < me ? held.first - held.count : held.first + held.count;
  schedule.round(
      {Send{twin, output(held.first), held.count}, Recv{twin, output(missing), held.count}});
  return {std::min(held.first, missing), 2 * held.count};
}

}  // namespace breakeven::allreduce
