// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "kernels/allgather/algorithms.hpp"
#include "kernels/fold.hpp"

namespace breakeven::kernels::allgather {

namespace {

/// Bruck: collect the blocks of the ranks ahead, doubling what is held, then rotate into order.
///
/// Scratch slot j holds the block of rank (me + j) mod p, so every rank runs the same program.
///
///     have = 1   slot 0     -> me-1     slot 1      <- me+1
///     have = 2   slots 0..1 -> me-2     slots 2..3  <- me+2
///     the last round moves only the p - have slots that are still missing
///
/// Needs   any p.
/// Cost    ceil(lg p) rounds, (p-1)/p m sent; m copied at the end.
/// Source  [bruck1997]; as in [traff2023], section III-E and Table I.
Schedule build(const Problem& op) {
  const int me = op.me.value;
  const int until_wrap = op.procs - me;
  Schedule schedule{.blocks = op.procs, .scratch = {{me, until_wrap}, {0, me}}, .rounds = {}};
  schedule.local(Copy{input(0), scratch(0)});
  for (int have = 1; have < op.procs; have *= 2) {
    const int missing = std::min(have, op.procs - have);
    schedule.round(
        {Send{op.behind(have), scratch(0), missing}, Recv{op.ahead(have), scratch(have), missing}});
  }
  schedule.local(Copy{scratch(0), output(me), until_wrap});
  schedule.local(Copy{scratch(until_wrap), output(0), me});
  return schedule;
}

Formula formula(const Problem& op) {
  const double p = op.procs;
  return {.messages = ceil_log2(op.procs), .sent = (p - 1) / p};
}

}  // namespace

const Algorithm bruck{.name = "bruck",
                      .requirement = kAnyProcs,
                      .build = build,
                      .formula = formula,
                      .formula_text = "ceil(lg p) alpha + (p-1)/p m beta",
                      .source = "[bruck1997]; [traff2023] Table I"};

}  // namespace breakeven::kernels::allgather
