// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "kernels/bcast/algorithms.hpp"

namespace breakeven::kernels::bcast {

namespace {

/// Split binary tree: the ranks after the root are pairs in a binary tree, along which the first
/// ones pass one half of the vector on and the second ones the other; then each pair exchanges its
/// halves.
///
///     p = 8   A   0 -> 1    1 -> 3, 5    3 -> 7       1-2, 3-4, 5-6 exchange
///             B   0 -> 2    2 -> 4, 6    4 -> 7       v = distance from the root
///
/// For even p the last rank is a pair alone.
///
/// Needs   any p.
/// Cost    floor(lg p) rounds of two messages of m/2, then one; of s segments s-1 rounds more, all
///         of m/(2s).
/// Source  [pjesivac2007], split-binary tree.
Schedule build(const Problem& op) {
  const int v = op.behind(op.root.value).value;
  const auto at = [&](int pair, int half) {
    return op.ahead(std::min(2 * pair + 1 + half, op.procs - 1) - v + op.procs);
  };
  const int pairs = op.procs / 2;
  Schedule schedule{.blocks = pairs == 0 ? 1 : 2, .scratch = {}, .rounds = {}};
  if (op.at_root()) {
    if (pairs > 0) schedule.round({Send{at(0, 0), input(0)}, Send{at(0, 1), input(1)}});
    schedule.local(Copy{input(0), output(0), schedule.blocks});
    return schedule;
  }

  const int pair = (v - 1) / 2;
  const auto from_above = [&](int half) {
    return Recv{pair == 0 ? op.root : at((pair - 1) / 2, half), output(half)};
  };
  if (2 * pair + 2 == op.procs) {
    schedule.round({from_above(0), from_above(1)});
    return schedule;
  }
  const int half = (v - 1) % 2;
  schedule.round({from_above(half)});
  Round down;
  for (const int below : {2 * pair + 1, 2 * pair + 2}) {
    if (below < pairs) down.comm.emplace_back(Send{at(below, half), output(half)});
  }
  if (!down.comm.empty()) schedule.rounds.push_back(std::move(down));
  const Rank other = at(pair, 1 - half);
  schedule.round({Send{other, output(half)}, Recv{other, output(1 - half)}});
  return schedule;
}

}  // namespace

const Algorithm split_binary{.name = "split_binary",
                             .requirement = kAnyProcs,
                             .segments = true,
                             .build = build,
                             .source = "[pjesivac2007]"};

}  // namespace breakeven::kernels::bcast
