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

/// The schedule of a rank, which grows by the two phases.
class Phases {
 public:
  explicit Phases(const Problem& op)
      : op_{op}, own_{op.placement.node_of(op.me, op.procs)}, node_{op, own_} {}

  /// Each source sends its blocks for the members of this node, in their order.
  void between_nodes() {
    const int place = node_.place_of(op_.me);
    Round round;
    for (int number = 0; number < op_.placement.nodes(op_.procs); ++number) {
      if (number == own_) continue;
      const Node other{op_, number};
      Location blocks = input(other.member(0).value);
      if (!other.consecutive()) {
        blocks = scratch(room(other.count()));
        for (int i = 0; i < other.count(); ++i) {
          schedule_.local(Copy{input(other.member(i).value), scratch(blocks.block + i)});
        }
      }
      round.comm.emplace_back(Send{other.partner_of(place), blocks, other.count()});
    }
    for (std::size_t i = 1; i < sources_.size(); ++i) {
      arrived_.push_back(room(node_.count()));
      round.comm.emplace_back(Recv{sources_[i], scratch(arrived_.back()), node_.count()});
    }
    schedule_.rounds.push_back(std::move(round));
  }

  /// Each member sends another one the blocks for it, its own and those that arrived.
  void within_node() {
    Round round;
    for (int member = 0; member < node_.count(); ++member) {
      const Rank mate = node_.member(member);
      if (mate == op_.me) {
        for (std::size_t i = 0; i < sources_.size(); ++i) {
          schedule_.local(Copy{block_for(member, i), output(sources_[i].value)});
        }
        continue;
      }
      const int packed = room(static_cast<int>(sources_.size()));
      for (std::size_t i = 0; i < sources_.size(); ++i) {
        schedule_.local(Copy{block_for(member, i), scratch(packed + static_cast<int>(i))});
      }
      round.comm.emplace_back(Send{mate, scratch(packed), static_cast<int>(sources_.size())});
      const std::vector<Rank> theirs = node_.sources_of(mate);
      const int taken = room(static_cast<int>(theirs.size()));
      round.comm.emplace_back(Recv{mate, scratch(taken), static_cast<int>(theirs.size())});
      for (std::size_t i = 0; i < theirs.size(); ++i) {
        round.local.emplace_back(
            Copy{scratch(taken + static_cast<int>(i)), output(theirs[i].value)});
      }
    }
    schedule_.rounds.push_back(std::move(round));
  }

  [[nodiscard]] Schedule schedule() && { return std::move(schedule_); }

 private:
  /// Adds slots of scratch; the first of them.
  int room(int count) {
    schedule_.scratch.push_back({0, count});
    slots_ += count;
    return slots_ - count;
  }
  [[nodiscard]] Location block_for(int member, std::size_t source) const {
    return source == 0 ? input(node_.member(member).value) : scratch(arrived_[source - 1] + member);
  }

  const Problem& op_;
  int own_;
  Node node_;
  std::vector<Rank> sources_ = node_.sources_of(op_.me);
  std::vector<int> arrived_{};  ///< where the blocks of a source begin, but for this rank
  Schedule schedule_{.blocks = op_.procs, .scratch = {}, .rounds = {}};
  int slots_ = 0;
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
  if (op.placement.nodes(op.procs) == 1) return linear.build(op);
  Phases phases{op};
  phases.between_nodes();
  phases.within_node();
  return std::move(phases).schedule();
}

}  // namespace

const Algorithm hierarchical{.name = "hierarchical",
                             .requirement = kAnyProcs,
                             .build = build,
                             .source = "[traff2019] 2; [bienz2026]"};

}  // namespace breakeven::kernels::alltoall
