// SPDX-License-Identifier: BSD-3-Clause
#pragma once

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
  /// The ranks of a node in order; the first is its leader.
  [[nodiscard]] std::vector<Rank> members(int node, int procs) const {
    std::vector<Rank> members;
    for (int rank = 0; rank < procs; ++rank) {
      if (node_of(Rank{rank}, procs) == node) members.push_back({rank});
    }
    return members;
  }
};

}  // namespace breakeven
