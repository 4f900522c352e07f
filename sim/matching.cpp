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
  std::size_t vertices = 0;
  int links = 0;
  // Branches that nobody could foresee would take most of the time.
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
  for (std::size_t i = 0; i < vertices; ++i) {
    const int port = vertices_[i];
    const Port& vertex = at(port);
    if (vertex.begin == vertex.end) continue;
    const PortGraph::Link first = links_of(vertex).front();
    if (vertex.end - vertex.begin == 1 && links_of(at(first.other)).size() == 1) {
      if (port % 2 == 0) found_.push_back(first.message);
      continue;
    }
    constexpr std::uint64_t kMost = std::uint64_t{1} << 31U;
    const std::uint64_t lightness =
        kMost - static_cast<std::uint64_t>(graph.weights[static_cast<std::size_t>(port)]);
    const auto side = static_cast<std::uint64_t>(port) % 2;
    order_.push_back(
        {(lightness << 1U | side) << 31U | static_cast<std::uint64_t>(first.message), port});
  }
  if (!order_.empty()) match();
  for (std::size_t i = 0; i < vertices; ++i) at(vertices_[i]) = {};
  return found_;
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
