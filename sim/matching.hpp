// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <utility>
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
/// lower number; the first edge that does is taken. Keeps its memory from one graph to the next.
class HeaviestMatching {
 public:
  /// @return indices of edges, ascending; until the next graph
  [[nodiscard]] std::span<const int> of(std::span<const Edge> edges,
                                        std::span<const int> left_weights,
                                        std::span<const int> right_weights);

 private:
  void list_edges(std::size_t vertices);
  void cover(int vertex);
  bool reach(int vertex);
  [[nodiscard]] int other_end(int edge, int vertex) const;

  // Vertices on the left are 0 .., those on the right follow them.
  std::span<const Edge> edges_;
  int left_ = 0;
  std::vector<int> begins_;    // by vertex: of its edges in edges_of_
  std::vector<int> edges_of_;  // of all vertices
  std::vector<int> chosen_;    // by vertex: the edge that covers it
  std::vector<int> seen_;      // by vertex: from which one it was last reached
  std::vector<char> fixed_;    // by vertex: whether it stays covered
  std::vector<std::pair<int, int>> order_;
  std::vector<int> found_;
  int search_ = 0;
};

}  // namespace breakeven::sim
