// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>
#include <vector>

#include "core/mapping.hpp"
#include "core/units.hpp"

namespace breakeven::kernels {

/// Some ranks, in ascending order: at equal distances, or any. The rank that stands at a place
/// among them is `group(place)`.
class RankGroup {
 public:
  RankGroup(int first, int stride, int count) : first_{first}, stride_{stride}, count_{count} {}
  explicit RankGroup(std::vector<Rank> ranks)
      : count_{static_cast<int>(ranks.size())}, listed_{std::move(ranks)} {}

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] Rank operator()(Rank place) const {
    if (listed_.empty()) return {first_ + stride_ * place.value};
    return listed_[static_cast<std::size_t>(place.value)];
  }
  /// @pre the rank is one of them
  [[nodiscard]] Rank place_of(Rank rank) const;

 private:
  int first_ = 0;
  int stride_ = 1;
  int count_ = 0;
  std::vector<Rank> listed_{};  ///< empty where they are at equal distances
};

/// How the ranks of a problem lie on nodes. Where that is seq or rr, each answer is arithmetic, so
/// that one rank of a million finds its node mates at once.
/// @see [ricogallego2014], section I: M nodes, Q = p / M processes on each
struct Placement {
  int procs_per_node = 0;  ///< on the node that has the most; 0: all on one node
  Mapping mapping{};

  [[nodiscard]] int nodes(int procs) const;
  [[nodiscard]] int node_of(Rank rank, int procs) const;
  /// The ranks of a node; the first is its leader. Of a regular placement node 0 has the most.
  [[nodiscard]] RankGroup members(int node, int procs) const;
  /// The leaders of the nodes, in the nodes' order.
  [[nodiscard]] RankGroup leaders(int procs) const;
  /// The numbers of ranks that nodes have, each once, the largest first.
  [[nodiscard]] std::vector<int> node_sizes(int procs) const;
  /// The same ranks on nodes of the same sizes, filled one after the other or dealt out: the ranks
  /// in the order in which the nodes would have them.
  /// @param kind  seq: all of node 0, then of node 1 ...; rr: one of each node in turn
  [[nodiscard]] std::vector<Rank> in_order(Mapping::Kind kind, int procs) const;
};

}  // namespace breakeven::kernels
