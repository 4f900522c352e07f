// SPDX-License-Identifier: BSD-3-Clause
#include "sim/matching.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>

namespace breakeven::sim {

namespace {

constexpr int kNone = -1;

/// Vertices on the left are 0 .., those on the right follow them.
class Matching {
 public:
  Matching(std::span<const Edge> edges, int left, int right)
      : edges_{edges},
        left_{left},
        edges_of_(static_cast<std::size_t>(left + right)),
        chosen_(edges_of_.size(), kNone),
        seen_(edges_of_.size(), kNone),
        fixed_(edges_of_.size(), false) {
    for (int i = 0; i < static_cast<int>(edges.size()); ++i) {
      const Edge& edge = edges[static_cast<std::size_t>(i)];
      edges_of_[static_cast<std::size_t>(edge.left)].push_back(i);
      edges_of_[static_cast<std::size_t>(left_ + edge.right)].push_back(i);
    }
  }

  /// Covers the vertex too, if it can be; it stays covered.
  void cover(int vertex) {
    search_ = vertex;
    at(fixed_, vertex) = at(chosen_, vertex) != kNone || reach(vertex);
  }

  [[nodiscard]] std::vector<int> edges() const {
    std::vector<int> found;
    for (int vertex = 0; vertex < left_; ++vertex) {
      const int edge = chosen_[static_cast<std::size_t>(vertex)];
      if (edge != kNone) found.push_back(edge);
    }
    std::ranges::sort(found);
    return found;
  }

 private:
  static auto at(auto& list, int index) -> decltype(list[0]) {
    return list[static_cast<std::size_t>(index)];
  }
  [[nodiscard]] int other_end(int edge, int vertex) const {
    const Edge& ends = edges_[static_cast<std::size_t>(edge)];
    return vertex < left_ ? left_ + ends.right : ends.left;
  }

  /// Covers an uncovered vertex by an edge whose other end is free, or can be freed of its own.
  bool reach(int vertex) {
    for (const int edge : at(edges_of_, vertex)) {
      const int other = other_end(edge, vertex);
      if (at(seen_, other) == search_) continue;
      at(seen_, other) = search_;
      const int before = at(chosen_, other);
      if (before != kNone) {
        const int partner = other_end(before, other);
        if (at(fixed_, partner) && !reach(partner)) continue;
        if (at(chosen_, partner) == before) at(chosen_, partner) = kNone;
      }
      at(chosen_, vertex) = edge;
      at(chosen_, other) = edge;
      return true;
    }
    return false;
  }

  std::span<const Edge> edges_;
  int left_;
  std::vector<std::vector<int>> edges_of_;
  std::vector<int> chosen_;  // by vertex: the edge that covers it
  std::vector<int> seen_;    // by vertex: from which one it was last reached
  std::vector<bool> fixed_;
  int search_ = 0;
};

}  // namespace

std::vector<int> heaviest_matching(std::span<const Edge> edges, std::span<const int> left_weights,
                                   std::span<const int> right_weights) {
  const int left = static_cast<int>(left_weights.size());
  const int right = static_cast<int>(right_weights.size());
  std::vector<std::tuple<int, int>> order;  // from the heaviest on
  for (int i = 0; i < left; ++i) order.emplace_back(-left_weights[static_cast<std::size_t>(i)], i);
  for (int i = 0; i < right; ++i) {
    order.emplace_back(-right_weights[static_cast<std::size_t>(i)], left + i);
  }
  std::ranges::sort(order);
  Matching matching{edges, left, right};
  for (const auto& [weight, vertex] : order) matching.cover(vertex);
  return matching.edges();
}

}  // namespace breakeven::sim
