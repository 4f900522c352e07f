// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/halving.hpp"

#include <algorithm>

namespace breakeven::kernels {

BlockRange half(BlockRange range, bool upper) {
  const int count = range.count / 2;
  return {range.first + (upper ? count : 0), count};
}

BlockRange other_half(BlockRange held, bool upper) {
  return {held.first + (upper ? -held.count : held.count), held.count};
}

BlockRange joined(BlockRange held, BlockRange other) {
  return {std::min(held.first, other.first), held.count + other.count};
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
  const BlockRange missing = other_half(held, twin < me);
  schedule.round({Send{twin, output(held.first), held.count},
                  Recv{twin, output(missing.first), missing.count}});
  return joined(held, missing);
}

void hand_in(Schedule& schedule, Rank me, Rank partner, BlockRange vector, bool stays) {
  const BlockRange mine = halve(schedule, me, partner, vector, Buffer::input);
  const BlockRange theirs = other_half(mine, partner < me);
  if (stays) {
    schedule.round({Recv{partner, output(theirs.first), theirs.count}});
  } else {
    schedule.round({Send{partner, output(mine.first), mine.count}});
  }
}

}  // namespace breakeven::kernels
