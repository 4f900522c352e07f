// SPDX-License-Identifier: BSD-3-Clause
#include "sim/matching.hpp"

#include <algorithm>
#include <utility>

namespace breakeven::sim {

std::span<const int> HeaviestMatching::of(PortGraph& graph, std::span<const int> asked) {
  ports_.resize(std::max(ports_.size(), graph.ends.size()));
  vertices_.resize(ports_.size() + 1);
  links_.resize(std::max(links_.size(), graph.links.size() + 1));
  order_.clear();
  found_.clear();
  const std::span<const int> vertices = list_vertices(graph, asked);
  for (const int port : vertices) decide_or_list(graph, port);
  if (!order_.empty()) match();
  for (const int port : vertices) at(port) = {};
  return found_;
}

std::span<const int> HeaviestMatching::list_vertices(PortGraph& graph, std::span<const int> asked) {
  std::size_t vertices = 0;
  int links = 0;
  // Branches that a processor can't predict would take most of the time.
  const auto add = [&](int port, bool is_free) {
    vertices_[vertices] = port;
    vertices += static_cast<std::size_t>(is_free && !at(port).is_vertex);
    at(port).is_vertex |= is_free;
  };
  for (const int port : asked) add(port, graph.free[static_cast<std::size_t>(port)] != 0);
  for (std::size_t i = 0; i < vertices; ++i) {
    Port& vertex = at(vertices_[i]);
    vertex.begin = links;
    int& end = graph.ends[static_cast<std::size_t>(vertices_[i])];
    int kept = graph.begins[static_cast<std::size_t>(vertices_[i])];
    for (int place = kept; place < end; ++place) {
      const PortGraph::Link link = graph.links[static_cast<std::size_t>(place)];
      const int open = 1 - graph.begun[static_cast<std::size_t>(link.message)];
      graph.links[static_cast<std::size_t>(kept)] = link;
      kept += open;
      links_[static_cast<std::size_t>(links)] = link;
      links += open & graph.free[static_cast<std::size_t>(link.other)];
    }
    end = kept;
    vertex.end = links;
    for (const PortGraph::Link& link : links_of(vertex)) add(link.other, true);
  }
  return std::span{vertices_}.first(vertices);
}

void HeaviestMatching::decide_or_list(const PortGraph& graph, int port) {
  const std::span<const PortGraph::Link> links = links_of(at(port));
  if (links.empty()) return;
  const PortGraph::Link first = links.front();
  if (links.size() == 1 && links_of(at(first.other)).size() == 1) {
    if (port % 2 == 0) found_.push_back(first.message);
    return;
  }
  constexpr std::uint64_t kMost = std::uint64_t{1} << 31U;
  const std::uint64_t lightness =
      kMost - static_cast<std::uint64_t>(graph.weights[static_cast<std::size_t>(port)]);
  const auto side = static_cast<std::uint64_t>(port) % 2;
  order_.push_back(
      {(lightness << 1U | side) << 31U | static_cast<std::uint64_t>(first.message), port});
}

void HeaviestMatching::match() {
  std::ranges::sort(order_, {}, &Place::key);
  for (const auto& [key, port] : order_) {
    ++search_;
    at(port).fixed = at(port).chosen != kNone || reach(port);
  }
  for (const auto& [key, port] : order_) {
    if (port % 2 == 0 && at(port).chosen != kNone) found_.push_back(at(port).chosen);
  }
}

/// Takes a port that is not taken by a message whose other end is not, or can be freed of its own.
bool HeaviestMatching::reach(int port) {
  for (const PortGraph::Link& link : links_of(at(port))) {
    Port& other = at(link.other);
    if (std::exchange(other.seen, search_) == search_) continue;
    if (other.chosen != kNone) {
      Port& partner = at(other.partner);
      if (partner.fixed && !reach(other.partner)) continue;
      if (partner.chosen == other.chosen) partner.chosen = kNone;
    }
    at(port).chosen = link.message;
    at(port).partner = link.other;
    other.chosen = link.message;
    other.partner = port;
    return true;
  }
  return false;
}

}  // namespace breakeven::sim
