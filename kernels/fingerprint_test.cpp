// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/fingerprint.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "core/error.hpp"
#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"

namespace breakeven::kernels {
namespace {

constexpr std::uint64_t kSeed = 20261121;

/// A small world in which one thing is wrong.
std::string complaint_after(std::string_view name, const std::function<void(Schedule&)>& mistake) {
  const Collective collective = Collective::allreduce;
  const Problem problem{.collective = collective, .procs = 4};  // all four blocks are followed
  std::vector<Schedule> world = world_of(find_algorithm(collective, name), problem);
  mistake(world[2]);
  try {
    prove_by_fingerprints(problem, world, kSeed);
  } catch (const VerificationError& error) {
    return error.what();
  }
  return "proven";
}

TEST(Fingerprint, FollowsAllBlocksOfFewAndSomeOfMany) {
  for (const auto& [procs, blocks] : {std::pair{3, 3}, {40, 4}}) {
    const Problem problem{.collective = Collective::allreduce, .procs = procs};
    const auto world = world_of(find_algorithm(Collective::allreduce, "ring"), problem);
    const Followed followed = prove_by_fingerprints(problem, world, kSeed);
    EXPECT_EQ(followed.count, blocks);
    EXPECT_EQ(followed.of, procs);
  }
}

TEST(Fingerprint, FindsAContributionThatIsCountedTwice) {
  const auto twice = [](Schedule& schedule) {
    schedule.rounds.back().local.emplace_back(Reduce{output(0), output(0), output(0)});
  };
  EXPECT_NE(complaint_after("recursive_doubling", twice).find("a wrong value of block 0"),
            std::string::npos);
}

TEST(Fingerprint, FindsABlockInTheWrongPlace) {
  const auto shifted = [](Schedule& schedule) {
    auto& reduce = std::get<Reduce>(schedule.rounds[1].local[0]);
    reduce.b.block = (reduce.b.block + 1) % 4;
  };
  EXPECT_NE(complaint_after("ring", shifted).find("different blocks"), std::string::npos);
}

TEST(Fingerprint, FindsAMissingMessage) {
  const auto silent = [](Schedule& schedule) { schedule.rounds.back().comm.pop_back(); };
  EXPECT_NE(complaint_after("ring", silent).find("waits for ever"), std::string::npos);
}

TEST(Fingerprint, FollowsScansAndExchangesToTheirEnds) {
  for (const Collective collective : {Collective::scan, Collective::exscan, Collective::alltoall}) {
    const Problem problem{.collective = collective, .procs = 4};  // all are followed
    for (const Algorithm* algorithm : catalogue(collective)) {
      std::vector<Schedule> world = world_of(*algorithm, problem);
      EXPECT_NO_THROW(prove_by_fingerprints(problem, world, kSeed)) << algorithm->name;
      // No other rank ends with the data of rank 3.
      world.front().rounds.push_back({.comm = {Recv{Rank{3}, output(0)}}});
      const Location own = collective == Collective::alltoall ? output(3) : output(0);
      world.back().rounds.push_back({.comm = {Send{Rank{0}, own}}});
      if (collective == Collective::exscan) continue;  // rank 0 has no output
      EXPECT_THROW(prove_by_fingerprints(problem, world, kSeed), VerificationError)
          << algorithm->name;
    }
  }
}

TEST(Fingerprint, FindsABarrierThatOneLeavesTooEarly) {
  const Problem problem{.collective = Collective::barrier, .procs = 64};
  std::vector<Schedule> world =
      world_of(find_algorithm(Collective::barrier, "dissemination"), problem);
  EXPECT_NO_THROW(prove_by_fingerprints(problem, world, kSeed));
  for (Schedule& schedule : world) schedule.rounds.pop_back();
  EXPECT_THROW(prove_by_fingerprints(problem, world, kSeed), VerificationError);
}

}  // namespace
}  // namespace breakeven::kernels
