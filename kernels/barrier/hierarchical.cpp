// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/barrier/algorithms.hpp"
#include "kernels/rewrite/rewrite.hpp"

namespace breakeven::kernels::barrier {

namespace {

/// Hierarchical: the ranks of a node tell its leader, the leaders do a dissemination, and each
/// tells its node. Between nodes there are only the leaders' messages.
///
///     2 nodes   0 1 2 3 | 4 5 6 7      linear          1 2 3 -> 0     5 6 7 -> 4
///                                      dissemination   0 <-> 4
///                                      linear          0 -> 1 2 3     4 -> 5 6 7
///
/// Needs   any p, on any nodes; all on one makes it linear.
/// Cost    2 rounds on the nodes and ceil(lg N) between N of them.
/// Source  [graham2011], with one level of nodes.
Schedule build(const Problem& op) {
  const int node = op.placement.node_of(op.me, op.procs);
  const RankGroup members = op.placement.members(node, op.procs);
  const Rank me = members.place_of(op.me);
  const Problem on_node{.collective = Collective::barrier, .procs = members.count(), .me = me};
  Schedule schedule = on_group(linear.build(on_node), members);
  if (me.value != 0) return schedule;
  const Problem between{
      .collective = Collective::barrier, .procs = op.placement.nodes(op.procs), .me = {node}};
  const Schedule leaders = on_group(dissemination.build(between), op.placement.leaders(op.procs));
  const auto after_arrival = schedule.rounds.begin() + (schedule.rounds.empty() ? 0 : 1);
  schedule.rounds.insert(after_arrival, leaders.rounds.begin(), leaders.rounds.end());
  return schedule;
}

}  // namespace

const Algorithm hierarchical{
    .name = "hierarchical", .requirement = kAnyProcs, .build = build, .source = "[graham2011]"};

}  // namespace breakeven::kernels::barrier
