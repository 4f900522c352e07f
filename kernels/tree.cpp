// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/tree.hpp"

#include <algorithm>
#include <cstdint>
#include <ranges>

namespace breakeven::kernels {

namespace {

/// The process at this distance from the root.
Rank rank_at(int distance, const Problem& problem) {
  return {static_cast<int>((std::int64_t{problem.root.value} + distance) % problem.procs)};
}

int chains_of(const Problem& op) { return op.params.find_number("chains", 1).value_or(1); }
int radix_of(const Problem& op) { return op.params.find_number("radix", 2).value_or(4); }

}  // namespace

bool chains::can_read(const Problem& problem) { return chains_of(problem) > 0; }

std::vector<std::string> chains::variants(int procs) {
  return procs > 8 ? std::vector<std::string>{"chains=4"} : std::vector<std::string>{};
}

TreeNode chains::node_of(const Problem& problem) {
  const int v = number_in_tree(problem);
  const int others = problem.procs - 1;
  const int used = std::min(chains_of(problem), others);
  const auto first_of = [&](int chain) {
    return 1 + static_cast<int>(first_element(others, used, chain));
  };
  TreeNode node;
  if (v == 0) {
    if (used > 0) node.children.emplace_back();
    for (int chain = 0; chain < used; ++chain) node.children.front().push_back(first_of(chain));
    return node;
  }
  int chain = 0;
  while (first_of(chain + 1) <= v) ++chain;
  node.parent = v == first_of(chain) ? 0 : v - 1;
  if (v + 1 < first_of(chain + 1)) node.children = {{v + 1}};
  return node;
}

TreeNode binary_node_of(const Problem& problem) {
  const int procs = problem.procs;
  const int v = number_in_tree(problem);
  TreeNode node{.parent = (v - 1) / 2};
  if (2 * v + 1 < procs) node.children = {{2 * v + 1}};
  if (2 * v + 2 < procs) node.children.front().push_back(2 * v + 2);
  return node;
}

bool knomial_tree::can_read(const Problem& problem) { return radix_of(problem) > 1; }

std::vector<std::string> knomial_tree::variants(int procs) {
  return procs > 8 ? std::vector<std::string>{"radix=3", "radix=8"} : std::vector<std::string>{};
}

Formula knomial_tree::formula(const Problem& problem) {
  double rounds = 0;
  for (std::int64_t reached = 1; reached < problem.procs; reached *= radix_of(problem)) ++rounds;
  return {.rounds = rounds};
}

TreeNode knomial_tree::node_of(const Problem& problem) {
  return node_of(problem, radix_of(problem));
}

TreeNode knomial_tree::node_of(const Problem& problem, int radix) {
  const int procs = problem.procs;
  const int v = number_in_tree(problem);
  TreeNode node;
  std::int64_t reach = 1;
  while (reach < procs && v % (reach * radix) == 0) reach *= radix;
  if (v != 0) node.parent = v - static_cast<int>(v % (reach * radix));
  node.size = static_cast<int>(std::min<std::int64_t>(reach, procs - v));
  for (std::int64_t step = reach / radix; step > 0; step /= radix) {
    std::vector<int> round;
    for (int digit = 1; digit < radix && v + digit * step < procs; ++digit) {
      round.push_back(static_cast<int>(v + digit * step));
    }
    if (!round.empty()) node.children.push_back(std::move(round));
  }
  return node;
}

Schedule bcast_along(const TreeNode& node, const Problem& problem) {
  Schedule schedule{.blocks = 1, .scratch = {}, .rounds = {}};
  const Location vector = problem.at_root() ? input(0) : output(0);
  if (!problem.at_root()) schedule.round({Recv{rank_at(node.parent, problem), vector}});
  for (const std::vector<int>& children : node.children) {
    Round& round = schedule.rounds.emplace_back();
    for (const int child : children) round.comm.emplace_back(Send{rank_at(child, problem), vector});
  }
  if (problem.at_root()) schedule.local(Copy{input(0), output(0)});
  return schedule;
}

Schedule reduce_along(const TreeNode& node, const Problem& problem) {
  std::size_t most = 0;  // arrivals of a round
  for (const std::vector<int>& children : node.children) most = std::max(most, children.size());
  Schedule schedule{.blocks = 1, .scratch = {}, .rounds = {}};
  schedule.scratch.assign(most + 1, {0, 1});
  const Location reduced = problem.at_root() ? output(0) : scratch(static_cast<int>(most));
  Location partial = input(0);
  for (const std::vector<int>& children : std::views::reverse(node.children)) {
    Round& round = schedule.rounds.emplace_back();
    for (int i = 0; i < static_cast<int>(children.size()); ++i) {
      const Rank child = rank_at(children[static_cast<std::size_t>(i)], problem);
      round.comm.emplace_back(Recv{child, scratch(i)});
      round.local.emplace_back(Reduce{partial, scratch(i), reduced});
      partial = reduced;
    }
  }
  if (!problem.at_root()) {
    schedule.round({Send{rank_at(node.parent, problem), partial}});
  } else if (node.children.empty()) {
    schedule.local(Copy{input(0), output(0)});
  }
  return schedule;
}

}  // namespace breakeven::kernels
