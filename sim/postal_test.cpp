// SPDX-License-Identifier: BSD-3-Clause
// The model against the papers' formulas: what is known in closed form must come out.
#include <gtest/gtest.h>

#include <cmath>
#include <string_view>

#include "core/error.hpp"
#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"
#include "sim/machine.hpp"

namespace breakeven::sim {
namespace {

constexpr double kPostalAlpha = 1e-6;
constexpr double kPostalBeta = 1e-9;
constexpr double kPostalGamma = 1e-10;
constexpr Postal kPostalMachine{
    .alpha = {kPostalAlpha}, .beta_per_byte = {kPostalBeta}, .gamma_per_byte = {kPostalGamma}};
constexpr std::int64_t kCount = 1 << 16;
constexpr double kPostalBytes = 8.0 * kCount;

double postal_time(Collective collective, std::string_view algorithm, int procs,
                   std::int64_t count = kCount) {
  const kernels::Problem problem{.collective = collective, .procs = procs, .me = {}, .root = {}};
  const auto world = kernels::world_of(kernels::find_algorithm(collective, algorithm),
                                       {.collective = collective, .procs = procs});
  return finish_time(kernels::make_exchange(problem, world),
                     {.problem = problem, .count = count, .datatype = Datatype::double_},
                     kPostalMachine)
      .value;
}

TEST(Postal, RecursiveDoublingTakesLogPFullVectors) {
  EXPECT_DOUBLE_EQ(postal_time(Collective::allreduce, "recursive_doubling", 8),
                   3 * (kPostalAlpha + kPostalBytes * kPostalBeta + kPostalBytes * kPostalGamma));
}

TEST(Postal, RecursiveDoublingTakesTwoMessagesMoreForOtherP) {
  EXPECT_DOUBLE_EQ(
      postal_time(Collective::allreduce, "recursive_doubling", 6),
      4 * (kPostalAlpha + kPostalBytes * kPostalBeta) + 3 * kPostalBytes * kPostalGamma);
}

TEST(Postal, RingTakesTwoTripsAroundOfOneBlockEach) {
  for (const int procs : {2, 4, 8, 16}) {
    const double share = kPostalBytes / procs;
    EXPECT_NEAR(postal_time(Collective::allreduce, "ring", procs),
                (procs - 1) * (2 * (kPostalAlpha + share * kPostalBeta) + share * kPostalGamma),
                1e-15);
  }
}

TEST(Postal, HalvingDoublingTakesLogPRoundsEachWay) {
  for (const int procs : {2, 4, 8, 16}) {
    const double most = kPostalBytes * (1 - 1.0 / procs);
    EXPECT_NEAR(postal_time(Collective::allreduce, "halving_doubling", procs),
                2 * std::log2(procs) * kPostalAlpha + 2 * most * kPostalBeta + most * kPostalGamma,
                1e-15);
  }
}

TEST(Postal, HalvingDoublingTakesTheStatedOverheadForOtherP) {
  // [rabenseifner2004], section 2.5, with f_alpha = f_beta = 1 and p' = 4: (2 lg p' + 3) alpha +
  // (4 - 2/p') n beta + (3/2 - 1/p') n gamma.
  EXPECT_NEAR(
      postal_time(Collective::allreduce, "halving_doubling", 6),
      7 * kPostalAlpha + 3.5 * kPostalBytes * kPostalBeta + 1.25 * kPostalBytes * kPostalGamma,
      1e-15);
}

TEST(Postal, ReduceBcastTakesTheTreeTwice) {
  EXPECT_DOUBLE_EQ(
      postal_time(Collective::allreduce, "reduce_bcast", 8),
      6 * (kPostalAlpha + kPostalBytes * kPostalBeta) + 3 * kPostalBytes * kPostalGamma);
}

TEST(Postal, AllgathersMoveAllButTheOwnBlock) {
  const double moved = 7 * kPostalBytes * kPostalBeta;  // MPI counts one process's block
  EXPECT_NEAR(postal_time(Collective::allgather, "ring", 8), 7 * kPostalAlpha + moved, 1e-15);
  EXPECT_NEAR(postal_time(Collective::allgather, "bruck", 8), 3 * kPostalAlpha + moved, 1e-15);
  EXPECT_NEAR(postal_time(Collective::allgather, "recursive_doubling", 8), 3 * kPostalAlpha + moved,
              1e-15);
}

TEST(Postal, CirculantReduceScatterMovesOneBlockLessThanAPowerOfTwo) {
  // [traff2023], Proposition 2, for a power of two, where it reduces as much as it moves.
  EXPECT_NEAR(postal_time(Collective::reduce_scatter_block, "circulant", 8),
              3 * kPostalAlpha + 7 * kPostalBytes * (kPostalBeta + kPostalGamma), 1e-15);
}

TEST(Postal, BlocksOfAVectorThatPDoesNotDivideDifferByOneElement) {
  // 7 elements on 4 ranks are 2 + 2 + 2 + 1: the three rounds of each half move 2 of them.
  EXPECT_NEAR(postal_time(Collective::allreduce, "ring", 4, 7),
              6 * kPostalAlpha + 6 * 16 * kPostalBeta + 3 * 16 * kPostalGamma, 1e-15);
}

TEST(Postal, OneProcessNeedsNoTime) { EXPECT_EQ(postal_time(Collective::allreduce, "ring", 1), 0); }

TEST(Postal, APortCarriesOneMessageAtATime) {
  // The root sends two messages in one round: the second waits for the first.
  std::vector<kernels::Schedule> world(3);
  world[0].round(
      {kernels::Send{Rank{1}, kernels::input(0)}, kernels::Send{Rank{2}, kernels::input(0)}});
  world[1].round({kernels::Recv{Rank{0}, kernels::output(0)}});
  world[2].round({kernels::Recv{Rank{0}, kernels::output(0)}});
  const kernels::Problem problem{.collective = Collective::bcast, .procs = 3, .me = {}, .root = {}};
  EXPECT_DOUBLE_EQ(finish_time(kernels::make_exchange(problem, world),
                               {.problem = problem, .count = kCount, .datatype = Datatype::double_},
                               kPostalMachine)
                       .value,
                   2 * (kPostalAlpha + kPostalBytes * kPostalBeta));
}

TEST(Postal, AMessageBeginsWhenBothSidesAreThere) {
  // Rank 1 first hears from rank 2, so rank 0's message waits although it is ready at once.
  std::vector<kernels::Schedule> world(3);
  world[0].round({kernels::Send{Rank{1}, kernels::input(0)}});
  world[2].round({kernels::Send{Rank{1}, kernels::input(0)}});
  world[1] = {.blocks = 1, .scratch = {{0, 1}}, .rounds = {}};
  world[1].round({kernels::Recv{Rank{2}, kernels::scratch(0)}},
                 {kernels::Reduce{kernels::input(0), kernels::scratch(0), kernels::output(0)}});
  world[1].round({kernels::Recv{Rank{0}, kernels::scratch(0)}},
                 {kernels::Reduce{kernels::output(0), kernels::scratch(0), kernels::output(0)}});
  const kernels::Problem problem{
      .collective = Collective::reduce, .procs = 3, .me = {}, .root = {1}};
  EXPECT_DOUBLE_EQ(finish_time(kernels::make_exchange(problem, world),
                               {.problem = problem, .count = kCount, .datatype = Datatype::double_},
                               kPostalMachine)
                       .value,
                   2 * (kPostalAlpha + kPostalBytes * kPostalBeta + kPostalBytes * kPostalGamma));
}

TEST(Postal, IsTheSameHoweverComponentsAreTakenTogether) {
  // All are taken as one where messages of some size take no time.
  Machine together{kPostalMachine};
  together.ranges = {{.parameters = Postal{}, .up_to_bytes = 0}, {.parameters = kPostalMachine}};
  for (const auto& [collective, name] : kCollectives.entries) {
    if (collective == Collective::barrier) continue;  // of no bytes
    for (const kernels::Algorithm* const algorithm : kernels::catalogue(collective)) {
      for (int procs = 2; procs <= 12; ++procs) {
        for (const kernels::Problem& problem :
             kernels::problems_to_prove(collective, *algorithm, procs)) {
          const auto exchange = kernels::exchange_of(*algorithm, problem);
          const kernels::CollectiveCall call{
              .problem = problem, .count = 4000, .datatype = Datatype::byte};
          const Conditions skewed{.starts = starts_of({5e-6}, procs)};
          for (const Conditions& conditions : {Conditions{}, skewed}) {
            EXPECT_EQ(done_times(exchange, call, kPostalMachine, conditions),
                      done_times(exchange, call, together, conditions))
                << name << '/' << algorithm->name << ':' << problem.params.text()
                << " p = " << procs;
          }
        }
      }
    }
  }
}

TEST(Postal, ReportsRanksThatWaitForEachOther) {
  std::vector<kernels::Schedule> world(2);
  for (int rank = 0; rank < 2; ++rank) {
    kernels::Schedule& schedule = world[static_cast<std::size_t>(rank)];
    schedule.round({kernels::Recv{Rank{1 - rank}, kernels::output(0)}});
    schedule.round({kernels::Send{Rank{1 - rank}, kernels::input(0)}});
  }
  const kernels::Problem problem{
      .collective = Collective::allreduce, .procs = 2, .me = {}, .root = {}};
  EXPECT_THROW(
      static_cast<void>(finish_time(kernels::make_exchange(problem, world),
                                    {.problem = problem, .count = 1, .datatype = Datatype::double_},
                                    kPostalMachine)),
      Error);
}

}  // namespace
}  // namespace breakeven::sim
