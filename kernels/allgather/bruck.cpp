// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/bruck.hpp"

#include <algorithm>

#include "kernels/allgather/algorithms.hpp"

namespace breakeven::kernels::allgather {

namespace {

/// Bruck: collect the blocks of the ranks ahead, in each round r times as many as are held, then
/// rotate into order.
///
/// Scratch slot j holds the block of rank (me + j) mod p, so every rank runs the same program.
///
///     r = 2    have = 1   slot 0     -> me-1     slot 1      <- me+1
///              have = 2   slots 0..1 -> me-2     slots 2..3  <- me+2
///              the last round moves only the p - have slots that are still missing
///
/// Needs   any p.
/// Cost    ceil(log_r p) rounds of at most r-1 messages at once, (p-1)/p m sent; m copied at the
///         end.
/// Source  [bruck1997], the concatenation; r = 2 as in [traff2023], section III-E and Table I.
Schedule build(const Problem& op) {
  const int me = op.me.value;
  const int until_wrap = op.procs - me;
  const int radix = bruck_radix::radix_of(op);
  Schedule schedule{.blocks = op.procs, .scratch = {{me, until_wrap}, {0, me}}, .rounds = {}};
  schedule.local(Copy{input(0), scratch(0)});
  for (int have = 1; have < op.procs;) {
    Round& round = schedule.rounds.emplace_back();
    const int held = have;
    for (int digit = 1; digit < radix && have < op.procs; ++digit) {
      const int missing = std::min(held, op.procs - have);
      round.comm.emplace_back(Send{op.behind(have), scratch(0), missing});
      round.comm.emplace_back(Recv{op.ahead(have), scratch(have), missing});
      have += missing;
    }
  }
  schedule.local(Copy{scratch(0), output(me), until_wrap});
  schedule.local(Copy{scratch(until_wrap), output(0), me});
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
