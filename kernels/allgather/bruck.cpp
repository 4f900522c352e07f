// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/bruck.hpp"

#include <algorithm>

#include "kernels/allgather/algorithms.hpp"
#include "kernels/ring_range.hpp"

namespace breakeven::kernels::allgather {

namespace {

/// Bruck: collects the blocks of the ranks ahead, in each round r times as many as are held. Each
/// block lies in its place from the start, so that nothing is rotated; blocks of ranks up to p-1
/// and from 0 on are two runs of a message.
///
///     r = 2    have = 1   block me           -> me-1     me+1           <- me+1
///              have = 2   blocks me, me+1    -> me-2     me+2, me+3     <- me+2
///              the last round moves only the p - have blocks that are still missing
///
/// Needs   any p.
/// Cost    ceil(log_r p) rounds of at most r-1 messages at once, (p-1)/p m sent.
/// Source  [bruck1997], the concatenation; r = 2 as in [traff2023], section III-E and Table I.
Schedule build(const Problem& op) {
  const int radix = bruck_radix::radix_of(op);
  Schedule schedule{.blocks = op.procs, .scratch = {}, .rounds = {}};
  schedule.local(Copy{input(0), output(op.me.value)});
  for (int have = 1; have < op.procs;) {
    Round& round = schedule.rounds.emplace_back();
    const int held = have;
    for (int digit = 1; digit < radix && have < op.procs; ++digit) {
      const int missing = std::min(held, op.procs - have);
      round.send(op.behind(have), Buffer::output, RingRange{op.me, missing, op.procs}.runs());
      round.recv(op.ahead(have), Buffer::output,
                 RingRange{op.ahead(have), missing, op.procs}.runs());
      have += missing;
    }
  }
  return schedule;
}

Formula formula(const Problem& op) {
  const double p = op.procs;
  Formula formula = bruck_radix::formula(op);
  formula.sent = (p - 1) / p;
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
                      .formula_text = "radix 2: ceil(lg p) alpha + (p-1)/p m beta",
                      .source = "[bruck1997]; [traff2023] Table I"};

}  // namespace breakeven::kernels::allgather
