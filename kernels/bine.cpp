// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/bine.hpp"

#include <algorithm>
#include <utility>

namespace breakeven::kernels {

namespace {

int rho(int step) { return (1 - (step % 2 == 0 ? -1 : 1) * (2 << step)) / 3; }

/// How far an even process reaches ahead in steps below s: to 2^s consecutive ones, itself among
/// them. An odd one reaches those of their mirror image.
int reach(int steps) { return ((1 << (steps + steps % 2)) - 1) / 3; }

bool reaches(bool odd, int ahead, int steps) {
  const int offset = odd ? -ahead : ahead;
  return reach(steps) - (1 << steps) < offset && offset <= reach(steps);
}

/// The ranks that these numbers stand for.
std::vector<int> ranks_of(const Fold& fold, const std::vector<int>& numbers) {
  std::vector<int> ranks;
  for (const int number : numbers) {
    const Rank rank = fold.rank(number);
    ranks.push_back(rank.value);
    if (fold.paired(rank)) ranks.push_back(Fold::partner(rank).value);
  }
  std::ranges::sort(ranks);
  return ranks;
}

/// Adds the partners that these processes have in a step.
void add_partners(std::vector<int>& numbers, int step, int procs) {
  for (std::size_t i = numbers.size(); i-- > 0;) {
    numbers.push_back(bine_partner(numbers[i], step, procs));
  }
}

}  // namespace

int bine_partner(int v, int step, int procs) {
  return ((v % 2 == 0 ? v + rho(step) : v - rho(step)) % procs + procs) % procs;
}

TreeNode bine_node_of(const Problem& problem) {
  const Fold fold{problem.procs};
  const int procs = fold.stay();
  const int v = number_in_tree(problem);
  if (v >= procs) return {.parent = v - procs};
  const int steps = ceil_log2(procs);
  const int wanted = reaches(false, v, steps) ? v : v - procs;  // as seen from the root
  TreeNode node;
  int at = 0;
  int below = steps;  // the steps in which v passes the vector on
  for (int step = steps - 1; step >= 0; --step) {
    const bool odd = at % 2 != 0;
    if (reaches(odd, wanted - at, step)) continue;
    node.parent = (at + procs) % procs;
    at += odd ? -rho(step) : rho(step);
    below = step;
  }
  for (int step = below - 1; step >= 0; --step) {
    node.children.push_back({bine_partner(v, step, procs)});
  }
  if (v + procs < problem.procs) node.children.push_back({v + procs});
  return node;
}

std::vector<BlockRange> bine_subtree(const Problem& problem, int v, int steps) {
  const int procs = Fold{problem.procs}.stay();
  std::vector<int> ranks;
  const auto add = [&](int number) {
    if (number < problem.procs) ranks.push_back((problem.root.value + number) % problem.procs);
  };
  for (int i = 0; i < 1 << steps && v < procs; ++i) {
    const int offset = reach(steps) - i;
    const int number = (v + (v % 2 == 0 ? offset : -offset) + procs) % procs;
    add(number);
    add(number + procs);
  }
  if (v >= procs) add(v);
  return runs_of(std::move(ranks));
}

std::vector<BlockRange> bine_blocks(const Fold& fold, int v, int step) {
  std::vector<int> numbers{v};
  for (; 1 << step < fold.stay(); ++step) add_partners(numbers, step, fold.stay());
  return runs_in_order(ranks_of(fold, numbers));
}

std::vector<int> bine_sources(const Fold& fold, int v, int step) {
  std::vector<int> numbers{v};
  while (step-- > 0) add_partners(numbers, step, fold.stay());
  return ranks_of(fold, numbers);
}

}  // namespace breakeven::kernels
