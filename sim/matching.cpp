// SPDX-License-Identifier: BSD-3-Clause
#include "sim/matching.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace breakeven::sim {

namespace {

constexpr int kNone = -1;

auto& of_vertex(auto& list, int vertex) { return list[static_cast<std::size_t>(vertex)]; }

}  // namespace

std::span<const int> HeaviestMatching::of(std::span<const Edge> edges,
                                          std::span<const int> left_weights,
                                          std::span<const int> right_weights) {
  edges_ = edges;
  left_ = static_cast<int>(left_weights.size());
  const std::size_t vertices = left_weights.size() + right_weights.size();
  list_edges(vertices);
  chosen_.assign(vertices, kNone);
  seen_.assign(vertices, kNone);
  fixed_.assign(vertices, 0);
  order_.clear();  // from the heaviest on
  for (const int weight : left_weights) {
    order_.emplace_back(-weight, static_cast<int>(order_.size()));
  }
  for (const int weight : right_weights) {
    order_.emplace_back(-weight, static_cast<int>(order_.size()));
  }
  std::ranges::sort(order_);
  for (const auto& [weight, vertex] : order_) cover(vertex);
  found_.clear();
  for (int vertex = 0; vertex < left_; ++vertex) {
    const int edge = of_vertex(chosen_, vertex);
    if (edge != kNone) found_.push_back(edge);
  }
  std::ranges::sort(found_);
  return found_;
}

void HeaviestMatching::list_edges(std::size_t vertices) {
  begins_.assign(vertices + 1, 0);
  for (const Edge& edge : edges_) {
    ++of_vertex(begins_, edge.left);
    ++of_vertex(begins_, left_ + edge.right);
  }
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  edges_of_.resize(2 * edges_.size());
  for (int i = static_cast<int>(edges_.size()) - 1; i >= 0; --i) {
    const Edge& edge = edges_[static_cast<std::size_t>(i)];
    of_vertex(edges_of_, --of_vertex(begins_, edge.left)) = i;
    of_vertex(edges_of_, --of_vertex(begins_, left_ + edge.right)) = i;
  }
}

/// Covers the vertex too, if it can be; it stays covered.
void HeaviestMatching::cover(int vertex) {
  search_ = vertex;
  const bool covered = of_vertex(chosen_, vertex) != kNone || reach(vertex);
  of_vertex(fixed_, vertex) = covered ? 1 : 0;
}

int HeaviestMatching::other_end(int edge, int vertex) const {
  const Edge& ends = edges_[static_cast<std::size_t>(edge)];
  return vertex < left_ ? left_ + ends.right : ends.left;
}

/// Covers an uncovered vertex by an edge whose other end is free, or can be freed of its own.
bool HeaviestMatching::reach(int vertex) {
  for (int i = of_vertex(begins_, vertex); i < of_vertex(begins_, vertex + 1); ++i) {
    const int edge = of_vertex(edges_of_, i);
    const int other = other_end(edge, vertex);
    if (of_vertex(seen_, other) == search_) continue;
    of_vertex(seen_, other) = search_;
    const int before = of_vertex(chosen_, other);
    if (before != kNone) {
      const int partner = other_end(before, other);
      if (of_vertex(fixed_, partner) != 0 && !reach(partner)) continue;
      if (of_vertex(chosen_, partner) == before) of_vertex(chosen_, partner) = kNone;
    }
    of_vertex(chosen_, vertex) = edge;
    of_vertex(chosen_, other) = edge;
    return true;
  }
  return false;
}

}  // namespace breakeven::sim
