// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <bit>

#include "kernels/allreduce/algorithms.hpp"
#include "kernels/allreduce/halving.hpp"
#include "kernels/fold.hpp"

namespace breakeven::allreduce {

namespace {

/// Neighbouring ranks whose number is a binary digit of p; the largest comes first. Size 0: none.
struct BinaryBlock {
  int first = 0;
  int size = 0;

  [[nodiscard]] BinaryBlock larger() const {
    const int lowest_digit = first & -first;
    return {first - lowest_digit, lowest_digit};
  }
  [[nodiscard]] BinaryBlock smaller(int procs) const {
    const int begin = first + size;
    return {begin, static_cast<int>(std::bit_floor(static_cast<unsigned>(procs - begin)))};
  }
  [[nodiscard]] Rank rank(int number) const { return {first + number}; }
};

BinaryBlock largest(int procs) { return BinaryBlock{}.smaller(procs); }

BinaryBlock block_of(Rank rank, int procs) {
  BinaryBlock block = largest(procs);
  while (rank >= block.rank(block.size)) block = block.smaller(procs);
  return block;
}

/// Sends `held` to the processes of the larger block that hold parts of it after their halvings,
/// to each its part; then two of them send the halves of `held` back, finished.
void pass_up(Schedule& schedule, const BinaryBlock& own, int me, BlockRange held, Buffer partial) {
  const BinaryBlock larger = own.larger();
  Round up;
  for (int number = me; number < larger.size; number += own.size) {
    BlockRange share = held;
    for (int digit = own.size; digit < larger.size; digit *= 2) {
      share = half(share, (number & digit) != 0);
    }
    up.comm.emplace_back(Send{larger.rank(number), {partial, share.first}, share.count});
  }
  schedule.rounds.push_back(std::move(up));
  const BlockRange upper = half(held, true);
  schedule.round({Recv{larger.rank(me), output(held.first), upper.count},
                  Recv{larger.rank(me + own.size), output(upper.first), upper.count}});
}

/// Binary blocks: the binary digits of p cut the ranks into blocks of 2^k. Each block does a
/// reduce-scatter by halving; from the smallest block on, what a process then has is passed to
/// those of the next larger block that reduce the same parts further. In the largest block's
/// allgather by doubling, then in each other's, pairs of processes pass their halves of what they
/// swap on to the next smaller block.
///
///     p = 7        0   1   2   3  |  4    5   |  6       the vector is A to D
///     halving      A   C   B   D  |  A-B  C-D |  A-D
///     up           <- 4  <- 5 ... |  <------  |          6: A-B to 4, C-D to 5
///                                                        4: A to 0, B to 2   5: C to 1, D to 3
///     back: 0 <-> 2, and both send to 4; 1 <-> 3, and both send to 5; 4 <-> 5, and both send to 6
///
/// Needs   any p; a power of two makes it halving_doubling.
/// Cost    2 lg p' rounds, p' = 2^floor(lg p), and (2 - 2/p') m sent, (1 - 1/p') m reduced; for
///         other p a round more, m reduced, and sent at most, over the blocks of s processes that
///         have a smaller one of t, (2 - 1/s + 1/(2t)) m, with 2 - 2/s in the largest.
/// Source  Rabenseifner, ICCS 2004, section 2.6 and Fig. 2; Rabenseifner and Adamidis, section 3.6.
Schedule build(const Problem& op) {
  const BlockRange vector{0, largest(op.procs).size};
  Schedule schedule{.blocks = vector.count, .scratch = {{0, vector.count}}, .rounds = {}};
  if (op.procs == 1) schedule.local(Copy{input(0), output(0)});

  const BinaryBlock own = block_of(op.me, op.procs);
  const BinaryBlock smaller = own.smaller(op.procs);
  const int me = op.me.value - own.first;
  BlockRange held = vector;
  Buffer partial = Buffer::input;
  for (int distance = 1; distance < own.size; distance *= 2) {
    held = halve(schedule, op.me, own.rank(me ^ distance), held, partial);
    partial = Buffer::output;
  }
  if (smaller.size > 0) {
    const Location other = scratch(held.first);
    schedule.round({Recv{smaller.rank(me % smaller.size), other, held.count}},
                   {Reduce{{partial, held.first}, other, output(held.first), held.count}});
  }
  if (own.first > 0) pass_up(schedule, own, me, held, partial);
  for (int distance = own.size / 2; distance >= 1; distance /= 2) {
    const Send result{smaller.rank(me % distance), output(held.first), held.count};
    held = rejoin(schedule, op.me, own.rank(me ^ distance), held);
    if (distance == smaller.size && me < 2 * distance) {
      schedule.rounds.back().comm.emplace_back(result);
    }
  }
  return schedule;
}

Cost cost(const Problem& op) {
  BinaryBlock block = largest(op.procs);
  Cost cost{.rounds = 2 * ceil_log2(block.size) + (block.size < op.procs ? 1 : 0)};
  for (; block.size > 0; block = block.smaller(op.procs)) {
    const double scattered = 1 - 1.0 / block.size;
    const int smaller = block.smaller(op.procs).size;
    const double up = block.first > 0 ? 1.0 / block.size : 0;
    const double down = smaller > 0 ? 0.5 / smaller : 0;
    cost.sent = std::max(cost.sent, 2 * scattered + up + down);
    cost.reduced = std::max(cost.reduced, smaller > 0 ? 1.0 : scattered);
  }
  return cost;
}

}  // namespace

const Algorithm binary_blocks{.name = "binary_blocks",
                              .needs = kAnyProcs,
                              .ordered = true,
                              .identical = true,
                              .build = build,
                              .cost = cost,
                              .source = "Rabenseifner 2004, section 2.6"};

}  // namespace breakeven::allreduce
