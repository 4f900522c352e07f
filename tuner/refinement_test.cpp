// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/refinement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tables/testing.hpp"
#include "tuner/decision.hpp"

namespace breakeven::tuner {
namespace {

using breakeven::testing::join;
using breakeven::testing::launches;
using tables::testing::allreduce;

std::vector<Measurement> three_of(const std::string& algorithm, std::int64_t bytes, double time) {
  return launches(allreduce(algorithm, 4, bytes), {time, time, time});
}

std::vector<std::string> names(const std::vector<Case>& cases) {
  std::vector<std::string> names;
  for (const Case& what : cases) names.push_back(what.variant.algorithm());
  return names;
}

/// ring wins at 1 KiB, bruck at 4 KiB, native at neither; "last" is never worth a look.
const std::vector<Measurement> kCrossing =
    join({three_of("ring", 1024, 1), three_of("bruck", 1024, 2), three_of("native", 1024, 3),
          three_of("last", 1024, 9), three_of("ring", 4096, 8), three_of("bruck", 4096, 4),
          three_of("native", 4096, 9), three_of("last", 4096, 9)});

Refinement proposed(std::span<const Measurement> measurements, const std::set<Case>& known = {}) {
  return refine(measurements, known, 0.0003);
}

using Names = std::vector<std::string>;

TEST(Refinement, MeasuresTheTwoWinnersAndNativeAtTheGeometricMean) {
  const Refinement refinement = proposed(kCrossing);
  ASSERT_EQ(refinement.sizes.size(), 1U);
  EXPECT_EQ(names(refinement.sizes[0].candidates), (Names{"bruck", "native", "ring"}));
  for (const Case& what : refinement.sizes[0].candidates) EXPECT_EQ(what.message, Bytes{2048});
  EXPECT_EQ(refinement.points, 1);
}

TEST(Refinement, LeavesPairsOfSizesWithOneChoiceAlone) {
  const auto measurements = join({three_of("ring", 8, 1), three_of("bruck", 8, 2),
                                  three_of("ring", 1 << 20, 1), three_of("bruck", 1 << 20, 2)});
  EXPECT_TRUE(proposed(measurements).sizes.empty());
  EXPECT_EQ(proposed(measurements).points, 0);
}

TEST(Refinement, ASizeGainsWhatTheWrongChoiceCostsBetweenTheEnds) {
  const auto with = [](std::int64_t larger, double slower) {
    return proposed(join({three_of("ring", 1000, 1), three_of("bruck", 1000, slower),
                          three_of("ring", larger, slower), three_of("bruck", larger, 1)}),
                    {});
  };
  const double gain = with(4000, 2).sizes.at(0).gain;   // two doublings, log 2 at both ends
  EXPECT_NEAR(gain, 2 * std::log(2) / 8, 0.05 * gain);  // drawn a little towards each other
  EXPECT_NEAR(with(2000, 2).sizes.at(0).gain, gain / 2, 0.05 * gain);
  EXPECT_EQ(with(1020, 1.08).sizes.size(), 0U);
  EXPECT_EQ(with(1020, 1.08).points, 1);
}

TEST(Refinement, MeasuresWhatAProgramCallsByItsTime) {
  const auto with = [](std::int64_t message) {
    const ProgramTime time{{{Collective::allreduce, {4, 1, 4}, {message}}, {1}}};
    return refine(kCrossing, {}, 0.0003, time).sizes;
  };
  const double gain = proposed(kCrossing).sizes.at(0).gain;
  EXPECT_TRUE(with(1024).empty());  // it never calls sizes from 2 KiB on
  // 2 KiB is as near to one end as to the other: the smaller has the time, of three doublings.
  const auto sizes = with(2048);
  ASSERT_EQ(sizes.size(), 1U);
  EXPECT_NEAR(sizes[0].gain, gain * (0.1 + (0.1 + 0.9 * 3 / 1.5)) / 2, 1e-9);
}

TEST(Refinement, MeasuresWholeElementsAndSaysWhereThereIsNoneBetween) {
  const auto with = [](std::int64_t smaller, std::int64_t larger) {
    return proposed(join({three_of("ring", smaller, 1), three_of("bruck", smaller, 2),
                          three_of("ring", larger, 2), three_of("bruck", larger, 1)}),
                    {});
  };
  EXPECT_TRUE(with(4, 8).sizes.empty());
  EXPECT_EQ(with(4, 12).sizes.at(0).candidates.at(0).message, Bytes{8});  // sqrt(48) = 6.9
  EXPECT_EQ(with(4, 1024).sizes.at(0).candidates.at(0).message, Bytes{64});
  EXPECT_EQ(with(24, 32).sizes.at(0).candidates.at(0).message, Bytes{28});  // 27.7
}

TEST(Refinement, AsksForNothingTwice) {
  Case middle = without_algorithm(allreduce("ring", 4, 2048));
  const Refinement refinement = proposed(kCrossing, {middle});
  EXPECT_TRUE(refinement.sizes.empty());
  EXPECT_EQ(refinement.points, 1);
}

TEST(Refinement, TriesTheThirdWhomLinesThroughBothEndsPutAhead) {
  const auto with = [](double at_1024, double at_4096) {
    const auto all = join({three_of("ring", 1024, 1), three_of("ring", 4096, 8),
                           three_of("bruck", 1024, 4), three_of("bruck", 4096, 4),
                           three_of("third", 1024, at_1024), three_of("third", 4096, at_4096)});
    return names(proposed(all).sizes.at(0).candidates);
  };
  // At 2 KiB, a third of the way, lines put ring at 3.33 and bruck at 4.
  EXPECT_EQ(with(2, 5), (Names{"bruck", "ring", "third"}));  // 3
  EXPECT_EQ(with(1.3, 7.3), (Names{"bruck", "ring"}));       // 3.3: as good as ring
  EXPECT_EQ(with(3, 8), (Names{"bruck", "ring"}));           // 4.7
}

TEST(Refinement, GivesEveryKindOfTableItsOwnCandidates) {
  // For programs that call ours nothing changes: ring all along. The library's own change.
  const auto all =
      join({three_of("native", 1024, 9), three_of("ring", 1024, 1),
            three_of("openmpi:ring", 1024, 3), three_of("openmpi:basic_linear", 1024, 4),
            three_of("native", 4096, 9), three_of("ring", 4096, 1),
            three_of("openmpi:ring", 4096, 4), three_of("openmpi:basic_linear", 4096, 3)});
  const Refinement refinement = proposed(all);
  ASSERT_EQ(refinement.sizes.size(), 1U);
  EXPECT_EQ(names(refinement.sizes[0].candidates),
            (Names{"native", "openmpi:basic_linear", "openmpi:ring", "ring"}));
}

TEST(Refinement, LeavesOutWhatWouldNotRunAsItIsNamed) {
  // A ring of 64 needs 64 elements: it can't have been measured at 128 B, nor can it at 181 B.
  const auto with_64 = [](const std::string& algorithm, std::int64_t bytes, double time) {
    return launches(allreduce(algorithm, 64, bytes), {time, time, time});
  };
  const auto all = join({with_64("native", 128, 5), with_64("openmpi:recursive_doubling", 128, 1),
                         with_64("native", 256, 5), with_64("openmpi:recursive_doubling", 256, 4),
                         with_64("openmpi:ring", 256, 1)});
  const Refinement refinement = proposed(all);
  ASSERT_EQ(refinement.sizes.size(), 1U);
  EXPECT_EQ(names(refinement.sizes[0].candidates), (Names{"native", "openmpi:recursive_doubling"}));
}

TEST(Refinement, KeepsProblemsApart) {
  auto elsewhere = join({launches(allreduce("bruck", 8, 4096), {1, 1, 1}),
                         launches(allreduce("bruck", 8, 1024), {1, 1, 1})});
  const Refinement refinement = proposed(join({kCrossing, elsewhere}));
  ASSERT_EQ(refinement.sizes.size(), 1U);
  EXPECT_EQ(refinement.sizes[0].candidates.front().procs, 4);
}

TEST(Refinement, DrawsInOnACrossing) {
  // Rounds on lines that cross at 50 000 B, measured without noise, until all is near enough.
  std::vector<Measurement> all;
  std::set<Case> tried;
  const auto measure = [&](std::int64_t bytes) {
    const auto size = static_cast<double>(bytes);
    all = join({all, three_of("ring", bytes, 100 + size / 1000),
                three_of("bruck", bytes, 50 + size / 500)});
    tried.insert(without_algorithm(allreduce("ring", 4, bytes)));
  };
  measure(8);
  measure(8 << 20);
  int rounds = 0;
  for (Refinement next = proposed(all, tried); !next.sizes.empty(); next = proposed(all, tried)) {
    measure(next.sizes.at(0).candidates.at(0).message.value);
    ASSERT_LT(++rounds, 20);
  }
  EXPECT_EQ(rounds, 8);  // log2(log(2^20) / log(1.1)) = 7.2
  const auto decisions = decide(all);
  const auto after = std::ranges::find_if(decisions, [](const Decision& decision) {
    return decision.choice().times.what.variant.algorithm() == "ring";
  });
  ASSERT_NE(after, decisions.end());
  const auto larger = static_cast<double>(after->problem.message.value);
  const auto smaller = static_cast<double>(std::prev(after)->problem.message.value);
  EXPECT_LE(smaller, 50000);
  EXPECT_GE(larger, 50000);
  EXPECT_LE(larger, 1.1 * smaller);
}

TEST(Refinement, MeasuresBetweenWithEachOfTheCountsThatTheEndsWere) {
  std::vector<Measurement> measurements;
  for (const Counts counts : {Counts::equal, Counts::linear}) {
    for (Measurement each : kCrossing) {
      each.what.collective = Collective::gatherv;
      each.what.op = Op::none;
      each.what.counts = counts;
      measurements.push_back(each);
    }
  }
  const Refinement refinement = proposed(measurements);
  EXPECT_EQ(refinement.points, 1);
  ASSERT_EQ(refinement.sizes.size(), 2U);
  for (const SizeBetween& size : refinement.sizes) {
    EXPECT_EQ(names(size.candidates), (Names{"bruck", "native", "ring"}));
    for (const Case& what : size.candidates) {
      EXPECT_EQ(what.message, Bytes{2048});
      EXPECT_EQ(what.counts, size.candidates.front().counts);
    }
  }
  EXPECT_NE(refinement.sizes[0].candidates.front().counts,
            refinement.sizes[1].candidates.front().counts);
  const std::set<Case> tried{without_algorithm(refinement.sizes[0].candidates.front()),
                             without_algorithm(refinement.sizes[1].candidates.front())};
  EXPECT_TRUE(proposed(measurements, tried).sizes.empty());
}

}  // namespace
}  // namespace breakeven::tuner
