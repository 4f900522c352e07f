// SPDX-License-Identifier: BSD-3-Clause
// The catalogue is the test list: a new row is proven here without a line added.
#include "kernels/catalogue.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kernels/price.hpp"
#include "kernels/verify.hpp"

namespace breakeven {
namespace {

constexpr int kMostProcs = 64;

struct Row {
  Collective collective;
  const Algorithm* algorithm;
};

std::vector<Row> every_row() {
  std::vector<Row> rows;
  for (const auto& [collective, name] : kCollectives.entries) {
    for (const Algorithm* algorithm : catalogue(collective))
      rows.push_back({collective, algorithm});
  }
  return rows;
}

class EveryAlgorithm : public testing::TestWithParam<Row> {
 protected:
  /// Calls `check` for each p that the algorithm accepts and each root that the collective has.
  template <typename Check>
  static void for_every_problem(const Check& check) {
    const auto& [collective, algorithm] = GetParam();
    for (int procs = 1; procs <= kMostProcs; ++procs) {
      if (!algorithm->needs.met(procs)) continue;
      for (int root = 0; root < (rooted(collective) ? procs : 1); ++root) {
        SCOPED_TRACE(fmt::format("p = {}, root = {}", procs, root));
        check(Problem{.collective = collective, .procs = procs, .me = {}, .root = {root}},
              world_of(collective, *algorithm, procs, {root}));
      }
    }
  }
};

TEST_P(EveryAlgorithm, GivesTheRightResultAtEveryProcessCountAndRoot) {
  for_every_problem([](const Problem& problem, const std::vector<Schedule>& world) {
    EXPECT_NO_THROW(static_cast<void>(verify(problem, world)));
  });
}

TEST_P(EveryAlgorithm, KeepsRankOrderExactlyWhenTheCatalogueSaysSo) {
  bool always = true;
  for_every_problem([&](const Problem& problem, const std::vector<Schedule>& world) {
    always = always && verify(problem, world).in_rank_order;
  });
  if (reduces(GetParam().collective)) {
    EXPECT_EQ(always, GetParam().algorithm->ordered);
  } else {
    EXPECT_FALSE(GetParam().algorithm->ordered) << "order means nothing where nothing is reduced";
  }
}

TEST_P(EveryAlgorithm, CostsWhatItsSourceStates) {
  for_every_problem([](const Problem& problem, const std::vector<Schedule>& world) {
    const Cost stated = GetParam().algorithm->cost(problem.procs);
    const Cost counted = counted_cost(world);
    EXPECT_EQ(counted.rounds, stated.rounds);
    EXPECT_DOUBLE_EQ(counted.sent, stated.sent);
    EXPECT_DOUBLE_EQ(counted.reduced, stated.reduced);
  });
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryAlgorithm, testing::ValuesIn(every_row()),
                         [](const testing::TestParamInfo<Row>& row) {
                           return fmt::format("{}_{}", kCollectives.of(row.param.collective),
                                              row.param.algorithm->name);
                         });

TEST(Catalogue, NamesTheKnownAlgorithmsWhenOneIsUnknown) {
  try {
    static_cast<void>(find_algorithm(Collective::allgather, "rign"));
    FAIL() << "a misspelt algorithm was accepted";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(),
                 "no allgather algorithm 'rign'; known: bruck recursive_doubling ring");
  }
}

TEST(Catalogue, RefusesAProcessCountByNameInsteadOfRunningSomethingElse) {
  const Algorithm& algorithm = find_algorithm(Collective::allgather, "recursive_doubling");
  try {
    static_cast<void>(world_of(Collective::allgather, algorithm, 3));
    FAIL() << "p = 3 was accepted";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(),
                 "allgather/recursive_doubling can't run at p = 3: it needs p a power of two");
  }
}

}  // namespace
}  // namespace breakeven
