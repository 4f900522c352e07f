// SPDX-License-Identifier: BSD-3-Clause
#include "core/program_time.hpp"

#include <gtest/gtest.h>

namespace breakeven {
namespace {

using Times = std::vector<Seconds>;

Called called(std::int64_t bytes) { return {Collective::bcast, {4, 1, 1}, {bytes}}; }

Case problem(std::int64_t bytes = 0) {
  return {.collective = Collective::bcast, .procs = 4, .message = {bytes}};
}

Times at(const ProgramTime& time, const std::vector<Bytes>& sizes) {
  return time_at(time, problem(), sizes);
}

TEST(ProgramTime, IsAtTheSizesFromAPowerOfTwoToTheNext) {
  const ProgramTime time{{called(8), {1}}, {called(16), {2}}};
  EXPECT_EQ(at(time, {{8}, {16}, {32}}), (Times{{1}, {2}, {0}}));
  EXPECT_EQ(at(time, {{8}, {15}, {16}}), (Times{{0.5}, {0.5}, {2}}));
}

TEST(ProgramTime, IsElseAtTheNearestSize) {
  const ProgramTime time{{called(64), {3}}};              // whose middle is at 90 B
  EXPECT_EQ(at(time, {{8}, {1024}}), (Times{{3}, {0}}));  // as near as the other: the smaller
  EXPECT_EQ(at(time, {{8}, {1008}}), (Times{{0}, {3}}));
  EXPECT_EQ(at(time, {{8}, {1020}, {1 << 20}}), (Times{{0}, {3}, {0}}));
  EXPECT_EQ(at(time, {{9}, {1024}}), (Times{{3}, {0}}));
  EXPECT_EQ(at({{called(1 << 30), {5}}}, {{8}, {16}}), (Times{{0}, {5}}));
  EXPECT_EQ(at({{called(1), {5}}}, {{8}, {16}}), (Times{{5}, {0}}));
}

TEST(ProgramTime, OfUnknownSizeIsAtAll) {
  EXPECT_EQ(at({{called(0), {4}}}, {{8}, {16}}), (Times{{2}, {2}}));
  EXPECT_EQ(at({{called(0), {4}}}, {{0}}), (Times{{4}}));  // a barrier
}

TEST(ProgramTime, IsOfOneCollectiveAndLayout) {
  const ProgramTime time{{{Collective::reduce, {4, 1, 1}, {8}}, {1}},
                         {{Collective::bcast, {5, 1, 1}, {8}}, {1}},
                         {{Collective::bcast, {4, 1, 1, Mapping::rr}, {8}}, {1}}};
  EXPECT_EQ(at(time, {{8}}), (Times{{0}}));
  EXPECT_FALSE(calls(time, problem(8)));
}

TEST(ProgramTime, KnowsWhatIsCalled) {
  const ProgramTime time{{called(8), {1}}};
  EXPECT_TRUE(calls(time, problem(15)));
  EXPECT_FALSE(calls(time, problem(16)));
  EXPECT_TRUE(calls({{called(0), {1}}}, problem(16)));
}

}  // namespace
}  // namespace breakeven
