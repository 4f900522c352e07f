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
  for (const Names& group : names_of(equal_algorithms(problem, others))) {
    if (std::ranges::find(group, name) != group.end()) return group;
  }
  return {};
}

/// An algorithm that no catalogue has.
Algorithm exchange(std::string_view name, Schedule (*build)(const Problem&)) {
  return {.name = name, .requirement = kAnyProcs, .build = build, .source = ""};
}

Schedule plain(const Problem& op) {
  Schedule schedule{.blocks = 1, .scratch = {{0, 1}, {0, 1}}, .rounds = {}};
  schedule.round({Send{op.ahead(1), input(0)}, Recv{op.ahead(1), scratch(0)},
                  Send{op.ahead(2), input(0)}, Recv{op.ahead(2), scratch(1)}},
                 {Reduce{scratch(0), input(0), output(0)}});
  schedule.local(Reduce{scratch(1), output(0), output(0)});
  return schedule;
}

/// The same in another order, with other scratch, and a round more.
Schedule same(const Problem& op) {
  Schedule schedule{.blocks = 1, .scratch = {{0, 3}}, .rounds = {}};
  schedule.round({Recv{op.ahead(2), scratch(0)}, Recv{op.ahead(1), scratch(2)},
                  Send{op.ahead(2), input(0)}, Send{op.ahead(1), input(0)}},
                 {Reduce{scratch(2), input(0), output(0)}});
  schedule.rounds.push_back({.local = {Reduce{scratch(0), output(0), output(0)}}});
  return schedule;
}

Schedule other_operands_at_the_last_rank(const Problem& op) {
  Schedule schedule = plain(op);
  if (op.me.value + 1 == op.procs) {
    schedule.rounds.back().local.front() = Reduce{input(0), scratch(0), output(0)};
  }
  return schedule;
}

Schedule two_messages_to_one_rank(const Problem& op, int first) {
  Schedule schedule{.blocks = 2, .scratch = {}, .rounds = {}};
  schedule.round({Send{op.ahead(1), input(first)}, Send{op.ahead(1), input(1 - first)},
                  Recv{op.behind(1), output(0)}, Recv{op.behind(1), output(1)}});
  return schedule;
}

TEST(EqualAlgorithms, OfTwoProcessesAreMany) {
  EXPECT_EQ(group_of("ring", {.collective = Collective::allgather, .procs = 2}), Names{"ring"});
  EXPECT_EQ(group_of("circulant", {.collective = Collective::allgather, .procs = 2}),
            (Names{"dissemination", "circulant", "recursive_doubling", "neighbor_exchange"}));
  EXPECT_EQ(names_of(equal_algorithms({.collective = Collective::allreduce, .procs = 2})).size(),
            7);
  EXPECT_EQ(names_of(equal_algorithms({.collective = Collective::allreduce, .procs = 3})).size(),
            11);
}

TEST(EqualAlgorithms, OfOneProcessAreAll) {
  EXPECT_EQ(names_of(equal_algorithms({.collective = Collective::bcast, .procs = 1})).size(), 1);
}

TEST(EqualAlgorithms, NamesTheOneWithoutParametersFirst) {
  const Problem problem{.collective = Collective::allreduce, .procs = 8};
  const std::string stages = "recursive_multiplying:stages=a2,a2,a2";
  const std::string order = "ring:reorder_ranks=rr";
  const std::vector<Variant> others{find_variant(problem.collective, stages),
                                    find_variant(problem.collective, order)};
  EXPECT_EQ(group_of(stages, problem, others),
            (Names{"recursive_doubling", "elimination_21", "elimination_32", stages}));
  EXPECT_EQ(group_of(order, problem, others), (Names{"ring", order}));  // one node: nothing moves
}

TEST(EqualAlgorithms, SeesThroughOrderScratchAndEmptyRounds) {
  const Problem problem{.collective = Collective::allreduce, .procs = 5};
  const Algorithm one = exchange("one", plain);
  const Algorithm two = exchange("two", same);
  const Algorithm three = exchange("three", other_operands_at_the_last_rank);
  EXPECT_EQ(group_of("one", problem, {{&one, {}}, {&two, {}}, {&three, {}}}),
            (Names{"one", "two"}));
}

TEST(EqualAlgorithms, KeepsTheOrderOfMessagesBetweenTwoRanks) {
  const Problem problem{.collective = Collective::allreduce, .procs = 5};
  const Algorithm one =
      exchange("one", [](const Problem& op) { return two_messages_to_one_rank(op, 0); });
  const Algorithm two =
      exchange("two", [](const Problem& op) { return two_messages_to_one_rank(op, 1); });
  EXPECT_EQ(group_of("one", problem, {{&one, {}}, {&two, {}}}), Names{"one"});
}

Case at(std::string algorithm, int procs, std::int64_t bytes = 8) {
  return {.collective = Collective::allreduce,
          .algorithm = std::move(algorithm),
          .procs = procs,
          .procs_per_node = procs,
          .message = {bytes},
          .op = Op::sum};
}

TEST(MeasuredNames, AreThoseOfTheFirstWithEqualSchedules) {
  MeasuredNames names;
  EXPECT_EQ(names.of(at("recursive_multiplying", 2)).algorithm, "recursive_doubling");
  EXPECT_EQ(names.of(at("recursive_multiplying", 3)).algorithm, "recursive_multiplying");
  EXPECT_EQ(names.of(at("native", 2)).algorithm, "native");
  EXPECT_EQ(names.of(at("mpich:ring", 2)).algorithm, "mpich:ring");
}

TEST(OtherNames, AreToldOncePerAlgorithmAndProcesses) {
  const std::vector<Case> cases{at("recursive_doubling", 8, 8),
                                at("recursive_doubling", 4, 8),
                                at("recursive_doubling", 4, 16),
                                at("ring", 4, 8),
                                at("native", 4, 8),
                                at("mpich:ring", 4, 8)};
  EXPECT_EQ(other_names(cases),
            Names{"allreduce/recursive_doubling at p = 4, 8: also elimination_21, elimination_32"});
}

}  // namespace
}  // namespace breakeven::kernels
