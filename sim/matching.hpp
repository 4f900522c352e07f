// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

namespace breakeven::sim {

/// Between a vertex on the left, 0 .. and one on the right, 0 ..
struct Edge {
  int left = 0;
  int right = 0;
};

/// Edges that share no vertex, such that the vertices that they cover weigh most. Where every
/// vertex weighs as many edges as it has, all that have most are covered, so that a graph without
/// its matching needs one step less (Koenig's theorem).
///
/// Vertices are tried from the heaviest on, each by an alternating path that uncovers none of those
/// before it: what edges can cover is a matroid. Of equal ones the left comes first, then the
/// lower number; the first edge that does is taken.
/// @return indices of edges, ascending
[[nodiscard]] std::vector<int> heaviest_matching(std::span<const Edge> edges,
                                                 std::span<const int> left_weights,
                                                 std::span<const int> right_weights);

}  // namespace breakeven::sim
