// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "core/case.hpp"
#include "core/units.hpp"

namespace breakeven {

/// Ranks at equal distances. The rank that stands at a place among them is `row(place)`.
struct RankRow {
  int first = 0;
  int stride = 1;
  int count = 1;

  [[nodiscard]] Rank operator()(Rank place) const { return {first + stride * place.value}; }
  /// @pre the rank is one of them
  [[nodiscard]] Rank place_of(Rank rank) const { return {(rank.value - first) / stride}; }
};

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
  /// The ranks of a node; the first is its leader. Node 0 has the most, the last one the fewest.
  [[nodiscard]] RankRow members(int node, int procs) const {
    const int all = nodes(procs);
    if (mapping == Mapping::rr) {
      return {.first = node, .stride = all, .count = (procs - node + all - 1) / all};
    }
    const int first = node * procs_per_node;
    const int most = procs_per_node == 0 ? procs : procs_per_node;
    return {.first = first, .stride = 1, .count = std::min(most, procs - first)};
  }
  /// The leaders of the nodes, in the nodes' order.
  [[nodiscard]] RankRow leaders(int procs) const {
    return {
        .first = 0, .stride = mapping == Mapping::seq ? procs_per_node : 1, .count = nodes(procs)};
  }
};

}  // namespace breakeven
