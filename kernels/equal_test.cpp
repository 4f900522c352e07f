// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/equal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace breakeven::kernels {
namespace {

using Names = std::vector<std::string>;

std::vector<Names> names_of(const std::vector<std::vector<Variant>>& groups) {
  std::vector<Names> names;
  for (const auto& group : groups) {
    names.emplace_back();
    for (const Variant& each : group) {
      const std::string params = each.params.text();
      names.back().push_back(std::string{each.algorithm->name} +
                             (params.empty() ? "" : ":" + params));
    }
  }
  return names;
}

Names group_of(const std::string& name, const Problem& problem,
               const std::vector<Variant>& others = {}) {
  std::vector<Variant> variants = plain_variants(problem);
  variants.insert(variants.end(), others.begin(), others.end());
  for (const Names& group : names_of(groups_of_equals(problem, variants))) {
    if (std::ranges::find(group, name) != group.end()) return group;
  }
  return {};
}

std::size_t count(Collective collective, int procs) {
  const Problem problem{.collective = collective, .procs = procs};
  return groups_of_equals(problem, plain_variants(problem)).size();
}

TEST(EqualSchedules, OfTwoProcessesAreMany) {
  EXPECT_EQ(group_of("ring", {.collective = Collective::allgather, .procs = 2}), Names{"ring"});
  EXPECT_EQ(group_of("circulant", {.collective = Collective::allgather, .procs = 2}),
            (Names{"dissemination", "circulant", "recursive_doubling", "neighbor_exchange"}));
  EXPECT_EQ(count(Collective::allreduce, 2), 7);
  EXPECT_EQ(count(Collective::allreduce, 3), 11);
}

TEST(EqualSchedules, OfOneProcessAreAll) { EXPECT_EQ(count(Collective::bcast, 1), 1); }

TEST(EqualSchedules, DependOnTheNodes) {
  Problem problem{.collective = Collective::allreduce, .procs = 4};
  EXPECT_EQ(group_of("hierarchical", problem), (Names{"reduce_bcast", "hierarchical"}));
  problem.placement.procs_per_node = 2;
  EXPECT_EQ(group_of("hierarchical", problem), Names{"hierarchical"});
}

TEST(EqualSchedules, SeeThroughParameters) {
  const Problem problem{.collective = Collective::allreduce, .procs = 8};
  const std::string stages = "recursive_multiplying:stages=a2,a2,a2";
  const std::string order = "ring:reorder_ranks=rr";
  const std::vector<Variant> others{find_variant(problem.collective, stages),
                                    find_variant(problem.collective, order)};
  EXPECT_EQ(group_of(stages, problem, others),
            (Names{"recursive_doubling", "elimination_21", "elimination_32", stages}));
  EXPECT_EQ(group_of(order, problem, others), (Names{"ring", order}));  // one node: nothing moves
}

/// The order of sends is that in which ranks are served.
TEST(EqualSchedules, HaveTheirMessagesInTheSameOrder) {
  const auto swapped = [](const Problem& op) {
    Schedule schedule{.blocks = 1, .scratch = {}, .rounds = {}};
    const bool last = op.me.value + 1 == op.procs;
    schedule.round(
        {Send{op.ahead(last ? 2 : 1), input(0)}, Send{op.ahead(last ? 1 : 2), input(0)}});
    return schedule;
  };
  const auto plain = [](const Problem& op) {
    Schedule schedule{.blocks = 1, .scratch = {}, .rounds = {}};
    schedule.round({Send{op.ahead(1), input(0)}, Send{op.ahead(2), input(0)}});
    return schedule;
  };
  const Algorithm one{.name = "one", .requirement = kAnyProcs, .build = plain, .source = ""};
  const Algorithm two{.name = "two", .requirement = kAnyProcs, .build = swapped, .source = ""};
  const Problem problem{.collective = Collective::allreduce, .procs = 5};
  EXPECT_TRUE(equal_schedules(problem, {&one, {}}, {&one, {}}));
  EXPECT_FALSE(equal_schedules(problem, {&one, {}}, {&two, {}}));  // at the last rank alone
}

}  // namespace
}  // namespace breakeven::kernels
