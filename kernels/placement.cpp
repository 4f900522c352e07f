// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/placement.hpp"

#include <algorithm>
#include <functional>
#include <set>

namespace breakeven::kernels {

namespace {

/// The ranks of each node.
std::vector<std::vector<Rank>> ranks_by_node(const Placement& placement, int procs) {
  const int nodes = placement.nodes(procs);  // once: of irregular ones each is looked at
  std::vector<std::vector<Rank>> ranks(static_cast<std::size_t>(nodes));
  for (Rank rank{0}; rank.value < procs; ++rank.value) {
    const int node =
        nodes == 1 ? 0 : placement.mapping.node_of(rank, nodes, placement.procs_per_node);
    ranks[static_cast<std::size_t>(node)].push_back(rank);
  }
  return ranks;
}

}  // namespace

Rank RankGroup::place_of(Rank rank) const {
  if (listed_.empty()) return {(rank.value - first_) / stride_};
  return {static_cast<int>(std::ranges::lower_bound(listed_, rank) - listed_.begin())};
}

int Placement::nodes(int procs) const {
  if (procs_per_node == 0) return 1;
  if (mapping.kind() != Mapping::Kind::irregular) {
    return (procs + procs_per_node - 1) / procs_per_node;
  }
  return std::ranges::max(mapping.listed()) + 1;
}

int Placement::node_of(Rank rank, int procs) const {
  return procs_per_node == 0 ? 0 : mapping.node_of(rank, nodes(procs), procs_per_node);
}

RankGroup Placement::members(int node, int procs) const {
  if (procs_per_node == 0) return {0, 1, procs};
  const int all = nodes(procs);
  switch (mapping.kind()) {
    case Mapping::Kind::seq: {
      const int first = node * procs_per_node;
      return {first, 1, std::min(procs_per_node, procs - first)};
    }
    case Mapping::Kind::rr: return {node, all, (procs - node + all - 1) / all};
    case Mapping::Kind::blocked:
    case Mapping::Kind::irregular: break;
  }
  return RankGroup{ranks_by_node(*this, procs)[static_cast<std::size_t>(node)]};
}

RankGroup Placement::leaders(int procs) const {
  const int all = nodes(procs);
  switch (mapping.kind()) {
    case Mapping::Kind::seq: return {0, procs_per_node, all};
    case Mapping::Kind::rr: return {0, 1, all};
    case Mapping::Kind::blocked: return {0, mapping.block(), all};
    case Mapping::Kind::irregular: break;
  }
  std::vector<Rank> leaders;
  for (const std::vector<Rank>& ranks : ranks_by_node(*this, procs)) {
    leaders.push_back(ranks.front());
  }
  return RankGroup{std::move(leaders)};
}

std::vector<int> Placement::node_sizes(int procs) const {
  std::set<int, std::greater<>> sizes;
  const bool regular = procs_per_node == 0 || mapping == Mapping::seq || mapping == Mapping::rr;
  if (regular) {
    sizes = {members(0, procs).count(), members(nodes(procs) - 1, procs).count()};
  } else {
    for (const std::vector<Rank>& ranks : ranks_by_node(*this, procs)) {
      sizes.insert(static_cast<int>(ranks.size()));
    }
  }
  return {sizes.begin(), sizes.end()};
}

std::vector<Rank> Placement::in_order(Mapping::Kind kind, int procs) const {
  const std::vector<std::vector<Rank>> by_node = ranks_by_node(*this, procs);
  std::vector<Rank> order;
  if (kind == Mapping::Kind::seq) {
    for (const auto& ranks : by_node) order.insert(order.end(), ranks.begin(), ranks.end());
    return order;
  }
  for (std::size_t turn = 0; order.size() < static_cast<std::size_t>(procs); ++turn) {
    for (const auto& ranks : by_node) {
      if (turn < ranks.size()) order.push_back(ranks[turn]);
    }
  }
  return order;
}

}  // namespace breakeven::kernels
