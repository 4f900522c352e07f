// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/gather/collect.hpp"

namespace breakeven::kernels::gather {

void collect(Round& round, const Problem& op, Rank source, const RingRange& range, int slot) {
  if (!op.at_root()) {
    round.comm.emplace_back(Recv{source, scratch(slot), range.count()});
    return;
  }
  for (const auto& [first, count] : range.runs()) {
    round.comm.emplace_back(Recv{source, output(first), count});
  }
}

void pass_on(Round& round, const Problem& op, Rank to, const RingRange& range, Location from) {
  if (to != op.root) {
    round.comm.emplace_back(Send{to, from, range.count()});
    return;
  }
  for (const auto& [first, count] : range.runs()) {
    round.comm.emplace_back(Send{to, from, count});
    from.block += count;
  }
}

}  // namespace breakeven::kernels::gather
