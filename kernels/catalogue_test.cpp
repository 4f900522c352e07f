// SPDX-License-Identifier: BSD-3-Clause
// The catalogue is the test list: a new row is proven here without a line added.
#include "kernels/catalogue.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ostream>

#include "kernels/build.hpp"
#include "kernels/price.hpp"
#include "kernels/rewrite/rewrite.hpp"
#include "kernels/verify.hpp"

namespace breakeven::kernels {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr int kMostProcs = 34;  // the cost grows as p^2, the code that runs is the same
#else
constexpr int kMostProcs = 130;
#endif
/// Nodes of different sizes at most p, for the algorithms that look at them.
const Placement kPlacement{.procs_per_node = 3, .mapping = Mapping::rr};

struct Row {
  Collective collective;
  const Algorithm* algorithm;
};

std::vector<Row> every_row() {
  std::vector<Row> rows;
  for (const auto& [collective, name] : kCollectives.entries) {
    const bool again = catalogue(collective).data() == catalogue(regular(collective)).data();
    if (irregular(collective) && again) continue;  // the same schedules
    for (const Algorithm* algorithm : catalogue(collective))
      rows.push_back({collective, algorithm});
  }
  return rows;
}

/// A failure names the row instead of printing its bytes.
void PrintTo(const Row& row, std::ostream* out) {
  *out << kCollectives.of(row.collective) << '/' << row.algorithm->name;
}

std::vector<Row> rows_in_segments() {
  std::vector<Row> rows = every_row();
  std::erase_if(rows, [](const Row& row) { return !row.algorithm->segments; });
  return rows;
}

std::vector<Row> rows_with_a_formula() {
  std::vector<Row> rows = every_row();
  std::erase_if(rows, [](const Row& row) { return row.algorithm->formula == nullptr; });
  return rows;
}

std::string name_of(const ::testing::TestParamInfo<Row>& row) {
  return fmt::format("{}_{}", kCollectives.of(row.param.collective), row.param.algorithm->name);
}

class EveryAlgorithm : public ::testing::TestWithParam<Row> {
 protected:
  /// Calls `check` for each p that the algorithm accepts, with the parameters worth trying there,
  /// and the roots that the collective has.
  template <typename Check>
  static void for_every_problem(const Check& check) {
    for (int procs = 1; procs <= kMostProcs; ++procs) for_problems_at(procs, check);
  }

  template <typename Check>
  static void for_problems_at(int procs, const Check& check) {
    const auto& [collective, algorithm] = GetParam();
    for (Problem& problem : problems_to_prove(collective, *algorithm, procs)) {
      problem.placement = kPlacement;
      SCOPED_TRACE(
          fmt::format("p = {}, root = {}, {}", procs, problem.root.value, problem.params.text()));
      check(problem);
    }
  }

  static const Algorithm& algorithm() { return *GetParam().algorithm; }
};

TEST_P(EveryAlgorithm, IsRightAndKeepsExactlyWhatTheCatalogueSaysOfOrderAndBits) {
  bool order_preserving = true;
  bool bitwise_identical = true;
  bool fixed_tree = true;
  for_every_problem([&](const Problem& problem) {
    Verdict verdict{};
    ASSERT_NO_THROW(verdict = verify(problem, world_of(algorithm(), problem)));
    order_preserving = order_preserving && verdict.in_rank_order;
    bitwise_identical = bitwise_identical && verdict.identical;
    fixed_tree = fixed_tree && verdict.fixed_tree;
  });
  const Collective collective = GetParam().collective;
  EXPECT_EQ(algorithm().order_preserving, reduces(collective) && order_preserving);
  EXPECT_EQ(algorithm().bitwise_identical,
            collective == Collective::allreduce && bitwise_identical);
  EXPECT_EQ(algorithm().fixed_tree, reduces(collective) && fixed_tree);
}

TEST_P(EveryAlgorithm, IsRightWithSeveralBlocksForEachOfItsOwn) {
  for (const int procs : {1, 2, 3, 5, 8, 12, 13}) {
    for_problems_at(procs, [](const Problem& problem) {
      std::vector<Schedule> world = world_of(algorithm(), problem);
      for (Schedule& schedule : world) schedule = refine(std::move(schedule), 3);
      EXPECT_NO_THROW(static_cast<void>(verify(problem, world)));
    });
  }
}

TEST_P(EveryAlgorithm, IsRightWithItsBuffersAside) {
  for (const int procs : {1, 2, 3, 5, 8, 13}) {
    for_problems_at(procs, [procs](Problem problem) {
      std::vector<Schedule> world = world_of(algorithm(), problem);
      for (int rank = 0; rank < procs; rank += 2) {  // the other ranks need not know
        Schedule& schedule = world[static_cast<std::size_t>(rank)];
        problem.me = {rank};
        schedule = with_input_aside(std::move(schedule), problem);
        // Scratch has no room for blocks whose size only two ranks know.
        if (!personalised(problem.collective) || !irregular(problem.collective)) {
          schedule = with_output_aside(std::move(schedule), problem);
        }
      }
      EXPECT_NO_THROW(static_cast<void>(verify(problem, world)));
    });
  }
}

TEST_P(EveryAlgorithm, IsRightWithItsRanksReordered) {
  if (!algorithm().reorderable) {
    const Problem reordered{.collective = GetParam().collective,
                            .procs = 2,
                            .params = Params::parse("reorder_ranks=seq")};
    EXPECT_THROW(static_cast<void>(runs(algorithm(), reordered)), UsageError);
    return;
  }
  for (const int procs : {1, 2, 4, 6, 12, 16}) {
    for_problems_at(procs, [procs](Problem problem) {
      const std::string own = problem.params.text();
      for (const int per_node : {1, 2, 4}) {
        if (procs % per_node != 0) continue;
        problem.placement = {.procs_per_node = per_node, .mapping = Mapping::rr};
        for (const std::string_view how : {"seq", "rr"}) {
          problem.params =
              Params::parse(fmt::format("{}{}reorder_ranks={}", own, own.empty() ? "" : ",", how));
          EXPECT_NO_THROW(static_cast<void>(verify(problem, world_of(algorithm(), problem))));
        }
      }
    });
  }
}

/// Compares a factor that a source states, or none, with the counted one.
void expect_stated(std::string_view what, const std::optional<double>& stated, double counted,
                   bool at_most = false) {
  if (!stated) return;
  if (at_most) {
    EXPECT_LE(counted, *stated + 1e-9) << what;
  } else {
    EXPECT_NEAR(counted, *stated, 1e-9) << what;
  }
}

class EveryAlgorithmWithAFormula : public EveryAlgorithm {};

TEST_P(EveryAlgorithmWithAFormula, CostsWhatItsSourceStatesAlongItsCriticalPath) {
  for_every_problem([](const Problem& problem) {
    const Formula stated = algorithm().formula(problem);
    const Price counted = price(problem, world_of(algorithm(), problem));
    expect_stated("rounds", stated.rounds, counted.rounds);
    expect_stated("messages", stated.messages, counted.critical_path.messages);
    expect_stated("sent", stated.sent, counted.critical_path.sent, stated.sent_at_most);
    expect_stated("reduced", stated.reduced, counted.critical_path.reduced, stated.reduced_at_most);
  });
}

class EverySegmentedAlgorithm : public EveryAlgorithm {};

TEST_P(EverySegmentedAlgorithm, IsRightInSegments) {
  for (const int procs : {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 17}) {
    for (const int segments : {1, 2, 5, 16}) {
      for_problems_at(procs, [segments](Problem problem) {
        problem.params = Params::parse(fmt::format("segments={}", segments));
        EXPECT_NO_THROW(static_cast<void>(verify(problem, world_of(algorithm(), problem))));
      });
    }
  }
}

TEST_P(EveryAlgorithm, IsRightAtLargeProcessCounts) {
  constexpr std::size_t kManyRounds = 100;  // p of them: at 1025 they say nothing that 509 does not
  for (const int procs : {255, 256, 509, 1025}) {
    const auto& [collective, algorithm] = GetParam();
    const Problem problem{.collective = collective,
                          .procs = procs,
                          .root = {rooted(collective) ? procs / 2 : 0},
                          .placement = kPlacement};
    if (!runs(*algorithm, problem)) continue;
    if (procs > 1000 && build_schedule(*algorithm, problem).rounds.size() > kManyRounds) continue;
    Verdict verdict{};
    EXPECT_NO_THROW(verdict = verify(problem, world_of(*algorithm, problem))) << procs;
    EXPECT_TRUE(verdict.fixed_tree || !algorithm->fixed_tree) << procs;
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryAlgorithm, ::testing::ValuesIn(every_row()), name_of);
INSTANTIATE_TEST_SUITE_P(Catalogue, EveryAlgorithmWithAFormula,
                         ::testing::ValuesIn(rows_with_a_formula()), name_of);
INSTANTIATE_TEST_SUITE_P(Catalogue, EverySegmentedAlgorithm,
                         ::testing::ValuesIn(rows_in_segments()), name_of);

TEST(Catalogue, NamesTheKnownAlgorithmsWhenOneIsUnknown) {
  try {
    static_cast<void>(find_algorithm(Collective::gather, "lineer"));
    FAIL() << "a misspelt algorithm was accepted";
  } catch (const UsageError& error) {
    EXPECT_TRUE(std::string_view{error.what()}.starts_with(
        "no gather algorithm 'lineer'; did you mean 'linear'? known:"));
  }
}

TEST(Catalogue, RefusesAProcessCountByNameInsteadOfRunningSomethingElse) {
  const Algorithm& algorithm = find_algorithm(Collective::allgather, "recursive_doubling");
  try {
    static_cast<void>(world_of(algorithm, {.collective = Collective::allgather, .procs = 3}));
    FAIL() << "p = 3 was accepted";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(),
                 "allgather/recursive_doubling can't run at p = 3: it needs p a power of two");
  }
}

TEST(Catalogue, RefusesAParameterThatAnAlgorithmDoesNotTake) {
  const auto [algorithm, params] =
      find_instance(Collective::allreduce, Variant::parse("recursive_doubling:n=3"));
  EXPECT_THROW(
      static_cast<void>(
          runs(*algorithm, {.collective = Collective::allreduce, .procs = 4, .params = params})),
      UsageError);
}

TEST(Catalogue, LeavesOutOfAlltoallvWhatPassesOnBlocksOfUnknownSize) {
  const auto direct = catalogue(Collective::alltoallv);
  for (const Algorithm* algorithm : catalogue(Collective::alltoall)) {
    Problem problem{.collective = Collective::alltoallv, .procs = 4, .placement = kPlacement};
    const bool right = std::ranges::find(direct, algorithm) != direct.end();
    if (!right) {
      EXPECT_THROW(static_cast<void>(find_algorithm(Collective::alltoallv, algorithm->name)),
                   UsageError);
    }
    try {
      static_cast<void>(verify(problem, world_of(*algorithm, problem)));
      EXPECT_TRUE(right) << algorithm->name;
    } catch (const VerificationError&) {
      EXPECT_FALSE(right) << algorithm->name;
    }
  }
}

TEST(Catalogue, HasTreesThatReduceInRankOrderTowardsRankZero) {
  for (const std::string_view name : {"binomial", "circulant"}) {
    for (int procs = 1; procs <= 40; ++procs) {
      const Problem towards_zero{.collective = Collective::reduce, .procs = procs};
      const Algorithm& tree = find_algorithm(Collective::reduce, name);
      EXPECT_TRUE(verify(towards_zero, world_of(tree, towards_zero)).in_rank_order)
          << name << ", p = " << procs;
    }
  }
}

}  // namespace
}  // namespace breakeven::kernels
