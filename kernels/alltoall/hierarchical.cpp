// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/alltoall/algorithms.hpp"

namespace breakeven::kernels::alltoall {

namespace {

/// A node in the first phase, in which its members receive the blocks of other nodes' ranks.
class Node {
 public:
  Node(const Problem& op, int number)
      : op_{op}, members_{op.placement.members(number, op.procs)}, number_{number} {}

  [[nodiscard]] int count() const { return members_.count(); }
  [[nodiscard]] int place_of(Rank rank) const { return members_.place_of(rank).value; }
  [[nodiscard]] bool consecutive() const {
    return member(count() - 1).value - member(0).value == count() - 1;
  }
  [[nodiscard]] Rank member(int place) const { return members_(Rank{place}); }
  /// The member that receives from the rank at this place of another node.
  [[nodiscard]] Rank partner_of(int place) const { return member(place % count()); }

  /// The ranks whose blocks for this node the member has before the second phase, itself first.
  [[nodiscard]] std::vector<Rank> sources_of(Rank who) const {
    std::vector<Rank> sources{who};
    for (int number = 0; number < op_.placement.nodes(op_.procs); ++number) {
      if (number == number_) continue;
      const Node other{op_, number};
      for (int place = place_of(who); place < other.count(); place += count()) {
        sources.push_back(other.member(place));
      }
    }
    return sources;
  }

 private:
  const Problem& op_;
  RankGroup members_;
  int number_;
};

/// Hierarchical: each rank sends one message to each other node, with its blocks for all ranks
/// there, to the rank with the same place as its own; then the ranks of a node exchange the blocks
/// for each other, their own and those received.
///
///     2 nodes   0 1 | 2 3     between   0 -> 2: blocks for 2, 3      1 -> 3: blocks for 2, 3
///                             on each   2 -> 3: blocks of 0 and 2 for 3
///
/// A place beyond the size of the other node is taken modulo that size.
///
/// Needs   any p, on any nodes; all on one makes it linear.
/// Cost    on N nodes of Q ranks 2 rounds of N-1 and Q-1 messages at once; (p-Q)/p m sent between
///         nodes, (Q-1)/Q m on them.
/// Source  [traff2019], section 2; node-aware alltoall in [bienz2026].
Schedule build(const Problem& op) {
  const int nodes = op.placement.nodes(op.procs);
  if (nodes == 1) return linear.build(op);
  const int own = op.placement.node_of(op.me, op.procs);
  const Node node{op, own};
  const int place = node.place_of(op.me);
  Schedule schedule{.blocks = op.procs, .scratch = {}, .rounds = {}};
  auto room = [&schedule, slots = 0](int count) mutable {
    schedule.scratch.push_back({0, count});
    slots += count;
    return slots - count;
  };

  // Each source sends its blocks for the members of this node, in their order.
  const std::vector<Rank> sources = node.sources_of(op.me);
  std::vector<int> arrived;
  Round between;
  for (int number = 0; number < nodes; ++number) {
    if (number == own) continue;
    const Node other{op, number};
    Location blocks = input(other.member(0).value);
    if (!other.consecutive()) {
      blocks = scratch(room(other.count()));
      for (int i = 0; i < other.count(); ++i) {
        schedule.local(Copy{input(other.member(i).value), scratch(blocks.block + i)});
      }
    }
    between.comm.emplace_back(Send{other.partner_of(place), blocks, other.count()});
  }
  for (std::size_t i = 1; i < sources.size(); ++i) {
    arrived.push_back(room(node.count()));
    between.comm.emplace_back(Recv{sources[i], scratch(arrived.back()), node.count()});
  }
  schedule.rounds.push_back(std::move(between));

  const auto block_for = [&](std::size_t source, int member) {
    return source == 0 ? input(node.member(member).value) : scratch(arrived[source - 1] + member);
  };
  Round within;
  for (int member = 0; member < node.count(); ++member) {
    const Rank mate = node.member(member);
    const int packed = mate == op.me ? 0 : room(static_cast<int>(sources.size()));
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const Location into =
          mate == op.me ? output(sources[i].value) : scratch(packed + static_cast<int>(i));
      schedule.local(Copy{block_for(i, member), into});
    }
    if (mate == op.me) continue;
    within.comm.emplace_back(Send{mate, scratch(packed), static_cast<int>(sources.size())});
    const std::vector<Rank> theirs = node.sources_of(mate);
    const int taken = room(static_cast<int>(theirs.size()));
    within.comm.emplace_back(Recv{mate, scratch(taken), static_cast<int>(theirs.size())});
    for (std::size_t i = 0; i < theirs.size(); ++i) {
      within.local.emplace_back(
          Copy{scratch(taken + static_cast<int>(i)), output(theirs[i].value)});
    }
  }
  schedule.rounds.push_back(std::move(within));
  return schedule;
}

}  // namespace

const Algorithm hierarchical{.name = "hierarchical",
                             .requirement = kAnyProcs,
                             .build = build,
                             .source = "[traff2019] 2; [bienz2026]"};

}  // namespace breakeven::kernels::alltoall
