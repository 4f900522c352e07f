// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "kernels/allgather/algorithms.hpp"
#include "kernels/fold.hpp"
#include "kernels/ring_range.hpp"

namespace breakeven::kernels::allgather {

namespace {

/// Dissemination: in round k each rank tells the one 2^k ahead the blocks that it has, its own and
/// those of the ranks behind it, doubling what is held.
///
///     have = 1   block me          -> me+1    block me-1        <- me-1
///     have = 2   blocks me-1, me   -> me+2    blocks me-3, me-2 <- me-2
///     the last round moves only the p - have blocks that are still missing
///
/// Unlike bruck it needs no scratch and no rotation at the end: blocks arrive where they belong,
/// and those of ranks up to p-1 and from 0 on are two runs of a message.
///
/// Needs   any p.
/// Cost    ceil(lg p) rounds, (p-1)/p m sent.
/// Source  [benson2003]; as cited in [ricogallego2014], section II.
Schedule build(const Problem& op) {
  Schedule schedule{.blocks = op.procs, .scratch = {}, .rounds = {}};
  schedule.local(Copy{input(0), output(op.me.value)});
  for (int have = 1; have < op.procs; have *= 2) {
    const int count = std::min(have, op.procs - have);
    const RingRange sent{op.behind(count - 1), count, op.procs};
    const RingRange received{op.behind(have + count - 1), count, op.procs};
    Round& round = schedule.rounds.emplace_back();
    round.send(op.ahead(have), Buffer::output, sent.runs());
    round.recv(op.behind(have), Buffer::output, received.runs());
  }
  return schedule;
}

}  // namespace

const Algorithm dissemination{
    .name = "dissemination", .requirement = kAnyProcs, .build = build, .source = "[benson2003]"};

}  // namespace breakeven::kernels::allgather
