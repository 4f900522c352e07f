// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "kernels/allgather/algorithms.hpp"
#include "kernels/placement.hpp"

namespace breakeven::kernels::allgather {

namespace {

/// The lanes: lane l has the ranks at place l of each node, as many lanes as the smallest node has
/// ranks, and carries their blocks and those of the places l + L, l + 2L ... beyond the L lanes.
class BlockLanes {
 public:
  explicit BlockLanes(const Problem& op) : op_{op} {}

  [[nodiscard]] int nodes() const { return op_.placement.nodes(op_.procs); }
  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] RankGroup members(int node) const { return op_.placement.members(node, op_.procs); }
  /// The blocks that a lane carries from `count` nodes, from a node on around the ring of nodes.
  [[nodiscard]] std::vector<int> blocks(int lane, int node, int count) const {
    std::vector<int> blocks;
    for (int i = 0; i < count; ++i) {
      const RankGroup mates = members((node + i + nodes()) % nodes());
      for (int place = lane; place < mates.count(); place += count_) {
        blocks.push_back(mates(Rank{place}).value);
      }
    }
    return blocks;
  }

 private:
  const Problem& op_;
  int count_ = op_.placement.node_sizes(op_.procs).back();
};

/// Multi-lane: the ranks at one place of each node do a dissemination of their blocks, all places
/// at once; then the ranks of a node send each other all that has come.
///
///     2 nodes   0 1 | 2 3      between   0 <-> 2    1 <-> 3       1 block each way
///                              within    0 <-> 1    2 <-> 3       2 blocks, in one message
///
/// On nodes with more ranks than others some ranks hand their block to one with a lane before.
///
/// Needs   any p, on any nodes.
/// Cost    on N nodes of Q ranks ceil(lg N) rounds and one of Q-1 messages at once; (N-1)/p m sent
///         between nodes, (Q-1)/Q m on them.
/// Source  [traff2019].
Schedule build(const Problem& op) {
  const BlockLanes lanes{op};
  const int nodes = lanes.nodes();
  const int node = op.placement.node_of(op.me, op.procs);
  const RankGroup mates = lanes.members(node);
  const int place = mates.place_of(op.me).value;
  const bool has_lane = place < lanes.count();
  Schedule schedule{.blocks = op.procs, .scratch = {}, .rounds = {}};
  schedule.local(Copy{input(0), output(op.me.value)});

  Round before;
  if (!has_lane) {
    before.comm.emplace_back(Send{mates(Rank{place % lanes.count()}), output(op.me.value)});
  }
  for (int other = place + lanes.count(); has_lane && other < mates.count();
       other += lanes.count()) {
    const Rank mate = mates(Rank{other});
    before.comm.emplace_back(Recv{mate, output(mate.value)});
  }
  if (!before.comm.empty()) schedule.rounds.push_back(std::move(before));

  for (int have = 1; has_lane && have < nodes; have *= 2) {
    const int count = std::min(have, nodes - have);
    const auto on_lane = [&](int distance) {
      return lanes.members((node + distance + nodes) % nodes)(Rank{place});
    };
    Round& round = schedule.rounds.emplace_back();
    round.send(on_lane(have), Buffer::output,
               runs_of(lanes.blocks(place, node - count + 1, count)));
    round.recv(on_lane(-have), Buffer::output,
               runs_of(lanes.blocks(place, node - have - count + 1, count)));
  }

  // A rank needs none of its own block.
  const auto lane_for = [&](int lane, Rank rank) {
    std::vector<int> blocks = lanes.blocks(lane, 0, nodes);
    std::erase(blocks, rank.value);
    return runs_of(std::move(blocks));
  };
  Round within;
  for (int other = 0; other < mates.count(); ++other) {
    if (other == place) continue;
    const Rank mate = mates(Rank{other});
    if (has_lane) within.send(mate, Buffer::output, lane_for(place, mate));
    if (other < lanes.count()) within.recv(mate, Buffer::output, lane_for(other, op.me));
  }
  if (!within.comm.empty()) schedule.rounds.push_back(std::move(within));
  return schedule;
}

}  // namespace

const Algorithm multi_lane{
    .name = "multi_lane", .requirement = kAnyProcs, .build = build, .source = "[traff2019]"};

}  // namespace breakeven::kernels::allgather
