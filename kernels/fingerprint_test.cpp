// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/fingerprint.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "core/error.hpp"
#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"

namespace breakeven {
namespace {

constexpr std::uint64_t kSeed = 20261121;

/// Whether schedules stay short however many ranks there are, so that all of a large world fit in
/// memory; those that grow with p are proven by `verify` up to p = 1025.
bool short_at(const Algorithm& algorithm, Problem problem) {
  constexpr std::size_t kShort = 200;
  for (const int rank : {0, 1, problem.procs / 2, problem.procs - 1}) {
    problem.me = {rank};
    if (count_steps(build_schedule(algorithm, problem)) > kShort) return false;
  }
  return true;
}

#ifdef __SANITIZE_ADDRESS__
constexpr int kMany = 4096;  // ten times slower
#else
constexpr int kMany = 65536;
#endif

TEST(Fingerprint, ProvesShortSchedulesOfManyRanks) {
  int proven = 0;
  for (const auto& [collective, name] : kCollectives.entries) {
    if (irregular(collective)) continue;
    for (const Algorithm* algorithm : catalogue(collective)) {
      Problem problem{.collective = collective,
                      .procs = kMany - 1,
                      .root = {rooted(collective) ? kMany / 3 : 0}};
      if (!runs(*algorithm, problem)) problem.procs = kMany;
      if (!short_at(*algorithm, problem)) continue;
      SCOPED_TRACE(fmt::format("{}/{} p = {}", name, algorithm->name, problem.procs));
      const std::vector<Schedule> world = world_of(*algorithm, problem);
      const int blocks = world.front().blocks;
      for (const int block : std::set{blocks / 3, blocks - 1}) {
        EXPECT_NO_THROW(verify_fingerprint(problem, world, block, kSeed)) << "block " << block;
      }
      ++proven;
    }
  }
  EXPECT_GE(proven, 10);
}

/// A small world in which one thing is wrong.
std::string complaint_after(std::string_view name, const std::function<void(Schedule&)>& mistake) {
  const Collective collective = Collective::allreduce;
  const Problem problem{.collective = collective, .procs = 6};
  std::vector<Schedule> world = world_of(find_algorithm(collective, name), problem);
  mistake(world[2]);
  std::string all;
  for (int block = 0; block < world.front().blocks; ++block) {
    try {
      verify_fingerprint(problem, world, block, kSeed);
    } catch (const VerificationError& error) {
      all += error.what();
    }
  }
  return all;
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
    reduce.b.block = (reduce.b.block + 1) % 6;
  };
  EXPECT_NE(complaint_after("ring", shifted).find("different blocks"), std::string::npos);
}

TEST(Fingerprint, FindsAMissingMessage) {
  const auto silent = [](Schedule& schedule) { schedule.rounds.back().comm.pop_back(); };
  EXPECT_NE(complaint_after("ring", silent).find("waits for ever"), std::string::npos);
}

TEST(Fingerprint, FindsABarrierThatOneLeavesTooEarly) {
  const Problem problem{.collective = Collective::barrier, .procs = 64};
  std::vector<Schedule> world =
      world_of(find_algorithm(Collective::barrier, "dissemination"), problem);
  EXPECT_NO_THROW(verify_fingerprint(problem, world, 0, kSeed));
  for (Schedule& schedule : world) schedule.rounds.pop_back();
  EXPECT_THROW(verify_fingerprint(problem, world, 0, kSeed), VerificationError);
}

}  // namespace
}  // namespace breakeven
