// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/problem.hpp"
#include "kernels/ring_range.hpp"
#include "kernels/schedule.hpp"

namespace breakeven::kernels::gather {

/// The messages of gathers along a tree, in which a rank collects the blocks of the ranks that
/// follow it. On the way these lie in ring order and are one message; in the root's output they
/// lie in rank order, so there a range that passes rank p-1 arrives as two.

/// Appends the receipt of a range: at the root into the output, else into scratch from `slot` on.
inline void collect(Round& round, const Problem& op, Rank source, const RingRange& range,
                    int slot) {
  if (!op.at_root()) {
    round.comm.emplace_back(Recv{source, scratch(slot), range.count()});
    return;
  }
  for (const auto& [first, count] : range.runs()) {
    round.comm.emplace_back(Recv{source, output(first), count});
  }
}

/// Appends the sending of a range that lies in ring order at `from`.
inline void pass_on(Round& round, const Problem& op, Rank to, const RingRange& range,
                    Location from) {
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
