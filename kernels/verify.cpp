// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/verify.hpp"

#include <optional>
#include <unordered_map>
#include <vector>

#include "kernels/symbols.hpp"
#include "kernels/world.hpp"

namespace breakeven::kernels {

Verdict verify(const Problem& problem, std::span<const Schedule> world) {
  Expressions expressions{static_cast<int>(world.size())};
  std::vector<SymbolicMemory> memories;
  memories.reserve(world.size());
  Problem own = problem;
  for (const Schedule& schedule : world) {
    own.me = {static_cast<int>(memories.size())};
    memories.emplace_back(own, schedule, expressions);
  }
  World<SymbolicMemory> ranks{world, std::move(memories)};
  ranks.run();

  Verdict verdict;
  std::unordered_map<int, int> shapes;  // of each block, as the first rank that has it reduced it
  std::optional<int> one_shape;
  std::unordered_map<int, int> tree_shapes;  // by the number of contributions
  const auto tree_shape = [&](int count) {
    const auto [known, is_new] = tree_shapes.try_emplace(count, 0);
    if (is_new) known->second = expressions.along_tree(count)->shape;
    return known->second;
  };
  ranks.for_each_memory([&](const SymbolicMemory& memory) {
    if (scans(problem.collective)) one_shape.reset();
    for (const auto& [block, value] : memory.checked_result()) {
      verdict.in_rank_order = verdict.in_rank_order && value->in_rank_order;
      const int first = shapes.try_emplace(block, value->shape).first->second;
      verdict.identical = verdict.identical && value->shape == first;
      if (!one_shape) one_shape = value->shape;
      verdict.uniform = verdict.uniform && value->shape == *one_shape;
      verdict.fixed_tree = verdict.fixed_tree && reduces(problem.collective) &&
                           value->shape == tree_shape(value->ranks.count());
    }
  });
  return verdict;
}

}  // namespace breakeven::kernels
