// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/bruck.hpp"

#include "kernels/alltoall/algorithms.hpp"

namespace breakeven::kernels::alltoall {

namespace {

/// Bruck: the block for the rank w ahead travels by the digits of w in base r: in round k it goes
/// d r^k ranks ahead, where d is its k-th digit. Blocks with the same digit travel together.
///
///     p = 5, r = 2      w        1   2   3   4
///     round 0, +1       moves    x       x
///     round 1, +2       moves        x   x
///     round 2, +4       moves                x
///
/// `block_at[w]` is the place of the block that still travels by the digits of w from k on.
/// Arrivals stay in their place until they are sent on or copied to the output.
///
/// Needs   any p.
/// Cost    ceil(log_r p) rounds of at most r-1 messages at once; for r = 2 and p a power of two,
///         lg p / 2 m sent, and as much copied before.
/// Source  [bruck1997], section 3, the index operation.
Schedule build(const Problem& op) {
  const int radix = bruck_radix::radix_of(op);
  Schedule schedule{.blocks = op.procs, .scratch = {}, .rounds = {}};
  schedule.local(Copy{input(op.me.value), output(op.me.value)});
  int slots = 0;
  std::vector<Location> block_at;
  for (int w = 0; w < op.procs; ++w) block_at.push_back(input(op.ahead(w).value));
  for (std::int64_t place = 1; place < op.procs; place *= radix) {  // r^k
    Round round;
    for (int digit = 1; digit < radix && digit * place < op.procs; ++digit) {
      std::vector<int> travel;
      for (int w = 0; w < op.procs; ++w) {
        if (w / place % radix == digit) travel.push_back(w);
      }
      const auto count = static_cast<int>(travel.size());
      const int packed = slots;
      const int arrived = packed + count;
      slots = arrived + count;
      schedule.scratch.insert(schedule.scratch.end(), {{0, count}, {0, count}});
      for (int i = 0; i < count; ++i) {
        const int w = travel[static_cast<std::size_t>(i)];
        Location& at = block_at[static_cast<std::size_t>(w)];
        schedule.local(Copy{at, scratch(packed + i)});
        at = scratch(arrived + i);
        const bool there = w < place * radix;
        if (there) round.local.emplace_back(Copy{at, output(op.behind(w).value)});
      }
      const int distance = digit * static_cast<int>(place);
      round.comm.emplace_back(Send{op.ahead(distance), scratch(packed), count});
      round.comm.emplace_back(Recv{op.behind(distance), scratch(arrived), count});
    }
    schedule.rounds.push_back(std::move(round));
  }
  return schedule;
}

Formula formula(const Problem& op) {
  const int radix = bruck_radix::radix_of(op);
  double moves = 0;  // digits that are not 0, of all w
  for (std::int64_t place = 1; place < op.procs; place *= radix) {
    for (int w = 0; w < op.procs; ++w) moves += w / place % radix == 0 ? 0 : 1;
  }
  Formula formula = bruck_radix::formula(op);
  formula.sent = moves / op.procs;
  return formula;
}

}  // namespace

const Algorithm bruck{.name = "bruck",
                      .requirement = kAnyProcs,
                      .params = bruck_radix::kParams,
                      .params_requirement = {.met = bruck_radix::can_read},
                      .variants = bruck_radix::variants,
                      .build = build,
                      .formula = formula,
                      .formula_text = "radix 2, p = 2^k: lg p (alpha + m beta / 2)",
                      .source = "[bruck1997] 3"};

}  // namespace breakeven::kernels::alltoall
