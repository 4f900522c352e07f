// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/crossing.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "kernels/build.hpp"
#include "kernels/rewrite/rewrite.hpp"

namespace breakeven::kernels {

namespace {

/// The nodes that may send the most, from the likeliest on.
std::vector<int> nodes_to_read(const Problem& problem, int all, bool whole) {
  std::vector<int> nodes{problem.placement.node_of(problem.root, problem.procs)};
  const auto take = [&](int node) {
    if (std::ranges::find(nodes, node) == nodes.end()) nodes.push_back(node);
  };
  take(all - 1);
  take(0);
  for (int power = 1; power < all; power *= 2) take(power);
  if (!whole) return nodes;
  nodes.clear();
  for (int node = 0; node < all; ++node) nodes.push_back(node);
  return nodes;
}

/// The ranks to read of those nodes, by node.
std::vector<std::vector<Rank>> ranks_to_read(const Problem& problem, int nodes, std::size_t steps) {
  constexpr std::size_t kMostSteps = std::size_t{1} << 18U;  // of all ranks read
  constexpr std::size_t kLeastRanks = 4;                     // of a node
  auto of_node = static_cast<std::size_t>(problem.procs);
  const bool whole = problem.procs <= kMostWhole || of_node * steps <= kMostSteps / 4;
  std::vector<int> read = nodes_to_read(problem, nodes, whole);
  if (!whole) {
    const std::size_t most = kMostSteps / std::max<std::size_t>(steps, 1);
    of_node = std::max(most / read.size(), kLeastRanks);
    read.resize(std::clamp<std::size_t>(most / of_node, 2, read.size()));
  }
  std::vector<std::vector<Rank>> ranks;
  for (const int node : read) {
    const RankGroup members = problem.placement.members(node, problem.procs);
    const auto last = static_cast<std::size_t>(members.count()) - 1;
    const std::size_t taken = std::min(of_node, last + 1);
    std::vector<Rank>& of = ranks.emplace_back();
    for (std::size_t i = 0; i < taken; ++i) {
      std::size_t place = last * i / std::max<std::size_t>(taken - 1, 1);
      if (taken <= last && i + 1 < taken) place |= i % 2;  // odd and even ones
      of.push_back(members({static_cast<int>(place)}));
    }
  }
  return ranks;
}

/// The messages of a node to others.
struct Sent {
  std::int64_t blocks = 0;
  int of = 1;  ///< in which the vector is cut
  int messages = 0;

  template <typename Leaves>
  void add(const Schedule& schedule, const Leaves& leaves) {
    of = schedule.blocks;
    for (const Round& round : schedule.rounds) {
      for (const Comm& comm : round.comm) {
        const auto* send = std::get_if<Send>(&comm);
        if (send == nullptr || !leaves(*send)) continue;
        blocks += send->count;
        if (!send->more) ++messages;
      }
    }
  }
};

}  // namespace

Crossing crossing(const Algorithm& algorithm, const Problem& problem) {
  const Placement& placement = problem.placement;
  const int nodes = placement.nodes(problem.procs);
  if (nodes == 1) return {};
  std::vector<Rank> roles;
  for (Rank rank{0}; rank.value < problem.procs; ++rank.value) roles.push_back(rank);
  Problem own = problem;
  if (const auto how = own.params.take(kReorderRanks.key)) roles = roles_of(*how, problem);
  const std::vector<Rank> players = players_of(roles);
  // Of a reordered algorithm the schedule is the role's, and its partners are roles.
  const auto schedule_of = [&](Rank rank) {
    own.me = rank;
    return build_schedule(algorithm, in_role(own, roles));
  };
  const auto node_of = [&](Rank rank) {
    return placement.mapping.node_of(rank, nodes, placement.procs_per_node);
  };
  Crossing most;
  for (const std::vector<Rank>& ranks :
       ranks_to_read(problem, nodes, count_steps(schedule_of(problem.root)))) {
    Sent sent;
    for (const Rank rank : ranks) {
      sent.add(schedule_of(rank), [&](const Send& send) {
        return node_of(players[static_cast<std::size_t>(send.to.value)]) != node_of(rank);
      });
    }
    const double parts = static_cast<double>(sent.blocks) / std::max(1, sent.of);
    most = {.sent = std::max(most.sent, parts), .messages = std::max(most.messages, sent.messages)};
  }
  return most;
}

}  // namespace breakeven::kernels
