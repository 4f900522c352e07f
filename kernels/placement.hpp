// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <vector>

#include "core/case.hpp"
#include "core/units.hpp"

namespace breakeven {

/// How the ranks of a problem lie on nodes.
/// @see "mapping transformation" paper, sections II and III: M nodes, Q = p / M processes on each
struct Placement {
  int procs_per_node = 0;  ///< 0: all on one node
  Mapping mapping = Mapping::seq;

  [[nodiscard]] int nodes(int procs) const {
    return procs_per_node == 0 ? 1 : (procs + procs_per_node - 1) / procs_per_node;
  }
  [[nodiscard]] int node_of(Rank rank, int procs) const {
    if (procs_per_node == 0) return 0;
    return mapping == Mapping::seq ? rank.value / procs_per_node : rank.value % nodes(procs);
  }
  /// The first rank of a node.
  [[nodiscard]] Rank leader(int node) const {
    return {mapping == Mapping::seq ? node * procs_per_node : node};
  }
  /// The ranks of a node in order. Node 0 has the most, the last one the fewest.
  [[nodiscard]] std::vector<Rank> members(int node, int procs) const {
    const bool in_turn = mapping == Mapping::seq && procs_per_node > 0;
    const int first = leader(node).value;
    const int end = in_turn ? std::min(procs, first + procs_per_node) : procs;
    const int stride = in_turn ? 1 : nodes(procs);
    std::vector<Rank> members;
    for (int rank = first; rank < end; rank += stride) members.push_back({rank});
    return members;
  }
};

}  // namespace breakeven
