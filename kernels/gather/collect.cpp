// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/gather/collect.hpp"

#include <algorithm>
#include <ranges>

namespace breakeven::kernels::gather {

void collect(Round& round, const Problem& op, Rank source, const RingRange& range, int slot) {
  if (op.at_root()) {
    round.recv(source, Buffer::output, range.runs());
  } else {
    round.comm.emplace_back(Recv{source, scratch(slot), range.count()});
  }
}

Schedule collect_along(const TreeNode& node, const Problem& op) {
  const int v = op.behind(op.root.value).value;
  const RingRange subtree{op.me, node.size, op.procs};
  const bool leaf = node.size == 1;
  Schedule schedule{.blocks = op.procs, .scratch = {}, .rounds = {}};
  if (op.at_root()) {
    schedule.local(Copy{input(0), output(op.me.value)});
  } else if (!leaf) {
    schedule.scratch = subtree.slots();
    schedule.local(Copy{input(0), scratch(0)});
  }
  for (const std::vector<int>& children : std::views::reverse(node.children)) {
    Round& round = schedule.rounds.emplace_back();
    const int most = children.front() - v;  // processes of a child's subtree
    for (const int child : children) {
      const Rank source = op.ahead(child - v);
      const int held = std::min(most, v + node.size - child);
      collect(round, op, source, {source, held, op.procs}, child - v);
    }
  }
  if (!op.at_root()) {
    schedule.round({Send{op.behind(v - node.parent), leaf ? input(0) : scratch(0), node.size}});
  }
  return schedule;
}

}  // namespace breakeven::kernels::gather
