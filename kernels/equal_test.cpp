// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/equal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "kernels/build.hpp"
#include "kernels/print.hpp"

namespace breakeven::kernels {
namespace {

using Names = std::vector<std::string>;

std::vector<Names> names_of(const std::vector<Equals>& groups) {
  std::vector<Names> names;
  for (const Equals& group : groups) {
    names.emplace_back();
    for (const Instance& each : group.variants) names.back().push_back(to_text(each));
  }
  return names;
}

Names group_of(const std::string& name, const Problem& problem,
               const std::vector<Instance>& others = {}) {
  std::vector<Instance> variants = plain_variants(problem);
  variants.insert(variants.end(), others.begin(), others.end());
  for (const Names& group : names_of(EqualSchedules{problem}.groups(variants))) {
    if (std::ranges::find(group, name) != group.end()) return group;
  }
  return {};
}

std::size_t count(Collective collective, int procs) {
  const Problem problem{.collective = collective, .procs = procs};
  return EqualSchedules{problem}.groups(plain_variants(problem)).size();
}

/// The number of schedules that differ in print.
std::size_t count_printed(Collective collective, int procs) {
  const Problem problem{.collective = collective, .procs = procs};
  std::set<std::string> printed;
  for (const Instance& each : plain_variants(problem)) {
    printed.insert(to_text(Title{problem, ""}, world_of(*each.algorithm, problem)));
  }
  return printed.size();
}

TEST(EqualSchedules, AreThosePrintedAlike) {
  for (const auto& [collective, name] : kCollectives.entries) {
    for (const int procs : {1, 2, 3, 4, 7, 8}) {
      EXPECT_EQ(count(collective, procs), count_printed(collective, procs)) << name << ' ' << procs;
    }
  }
}

TEST(EqualSchedules, OfTwoProcessesAreMany) {
  const Problem two{.collective = Collective::allgather, .procs = 2};
  EXPECT_EQ(group_of("ring", two), Names{"ring"});
  const Names equal = group_of("circulant", two);
  for (const char* name :
       {"dissemination", "circulant", "recursive_doubling", "neighbor_exchange", "sparbit"}) {
    EXPECT_NE(std::ranges::find(equal, name), equal.end()) << name;
  }
  EXPECT_LT(count(Collective::allreduce, 2), count(Collective::allreduce, 3));
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
  const std::vector<Instance> others{find_instance(problem.collective, Variant::parse(stages)),
                                     find_instance(problem.collective, Variant::parse(order))};
  EXPECT_EQ(group_of(stages, problem, others), (Names{"recursive_doubling", "elimination_21",
                                                      "elimination_32", "fixed_tree", stages}));
  EXPECT_EQ(group_of(order, problem, others), (Names{"ring", order}));  // one node: nothing moves
}

int schedules_built = 0;
int different = -1;  // the rank with another schedule

/// Sends to two ranks, in one order or the other: that in which they are served.
Schedule swapped(const Problem& op, bool swap) {
  ++schedules_built;
  Schedule schedule{.blocks = 1, .scratch = {}, .rounds = {}};
  schedule.round({Send{op.ahead(swap ? 2 : 1), input(0)}, Send{op.ahead(swap ? 1 : 2), input(0)}});
  return schedule;
}

const Algorithm kOne{.name = "one",
                     .requirement = kAnyProcs,
                     .build = [](const Problem& op) { return swapped(op, false); },
                     .source = ""};
const Algorithm kTwo{
    .name = "two",
    .requirement = kAnyProcs,
    .build = [](const Problem& op) { return swapped(op, op.me.value == different); },
    .source = ""};

bool equal_but_for(int rank, const Problem& problem) {
  different = rank;
  return EqualSchedules{problem}.equal({&kOne, {}}, {&kTwo, {}});
}

TEST(EqualSchedules, AreSoOnEachRank) {
  const Problem problem{.collective = Collective::allreduce, .procs = 512};
  EXPECT_TRUE(equal_but_for(-1, problem));
  for (int rank = 0; rank < 512; ++rank) EXPECT_FALSE(equal_but_for(rank, problem)) << rank;
}

TEST(EqualSchedules, OfManyRanksAreComparedWhereAlgorithmsDiffer) {
  const Problem problem{.collective = Collective::scatter,
                        .procs = 6000,  // 1904 more than a power of two
                        .root = {4444},
                        .placement = {.procs_per_node = 60, .mapping = Mapping::blocked(30)}};
  EXPECT_TRUE(equal_but_for(-1, problem));
  for (const int border : {1, 5999, 4444, 60, 100, 30, 6000 - 60, 6000 - 100, 2 * 1904, 2, 8, 1024,
                           4096, 6000 - 4096, 6000 - 8}) {
    for (const int rank : {border - 1, border, std::min(border + 1, 5999)}) {
      EXPECT_FALSE(equal_but_for(rank, problem)) << rank;
    }
  }
}

TEST(EqualSchedules, SayOnHowManyRanksAndReadNoMoreWhereThereAreMore) {
  different = -1;
  const std::vector<Instance> both{{&kOne, {}}, {&kTwo, {}}};
  for (const int procs : {1 << 10, 1 << 16, 1 << 20}) {
    schedules_built = 0;
    const auto groups = EqualSchedules{{.procs = procs}}.groups(both);
    ASSERT_EQ(groups.size(), 1);
    EXPECT_EQ(groups[0].text(procs), "identical on 128 of " + std::to_string(procs) + " ranks");
    EXPECT_EQ(schedules_built, 2 * 128);
  }
  EXPECT_EQ((EqualSchedules{{.procs = 512}}.groups(both).at(0).text(512)), "identical");
}

}  // namespace
}  // namespace breakeven::kernels
