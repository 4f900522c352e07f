// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <initializer_list>

#include "kernels/problem.hpp"
#include "kernels/rewrite/rewrite.hpp"

namespace breakeven::kernels {
namespace {

/// Whether a schedule that writes these blocks of the output, then reads block `read` of the input,
/// is safe.
bool safe(std::initializer_list<BlockRange> written, int read, int input_begin = 0) {
  Schedule schedule{.blocks = 16, .scratch = {{0, 16}}, .rounds = {}};
  for (const auto& [first, count] : written) {
    schedule.round({}, {Copy{scratch(first), output(first), count}});
  }
  schedule.round({Send{Rank{1}, input(read)}});
  return safe_in_place(schedule, input_begin);
}

TEST(InPlace, RefusesToReadWhatWasWritten) {
  EXPECT_TRUE(safe({}, 3));
  EXPECT_TRUE(safe({{0, 3}, {4, 2}}, 3));
  EXPECT_FALSE(safe({{3, 1}}, 3));
  EXPECT_FALSE(safe({{0, 8}}, 3));
}

TEST(InPlace, RemembersAllThatWasWritten) {
  for (int read = 0; read < 12; ++read) {
    const bool gap = read == 0 || read == 7 || read == 11;
    EXPECT_EQ(safe({{4, 1}, {8, 3}, {2, 1}, {1, 1}, {5, 2}, {3, 1}}, read), gap) << read;
    EXPECT_EQ(safe({{9, 2}, {1, 2}, {8, 2}, {2, 5}}, read), gap) << read;
  }
}

TEST(InPlace, CountsTheInputFromWhereItLies) {
  EXPECT_FALSE(safe({{5, 1}}, 0, 5));
  EXPECT_TRUE(safe({{5, 1}}, 1, 5));
  EXPECT_TRUE(safe({{5, 1}}, 5, 5));
}

TEST(InPlace, RefusesToSendWhatArrivesInTheSameRound) {
  Schedule schedule{.blocks = 2, .scratch = {}, .rounds = {}};
  schedule.round({Send{Rank{1}, input(0)}, Recv{Rank{1}, output(0)}});
  EXPECT_FALSE(safe_in_place(schedule));
}

TEST(InPlace, LeavesOutACopyOfABlockToItself) {
  Schedule schedule{.blocks = 2, .scratch = {}, .rounds = {}};
  schedule.round({}, {Copy{input(0), output(1)}});
  schedule.round({Send{Rank{1}, input(0)}});
  EXPECT_TRUE(safe_in_place(schedule, 1));
  schedule.rounds[0].local = {Copy{input(1), output(0)}};
  EXPECT_FALSE(safe_in_place(schedule, 0));
}

TEST(InPlace, RefusesAStepThatWritesAPartOfWhatItReads) {
  const auto alone = [](const Local& step) {
    Schedule schedule{.blocks = 4, .scratch = {{0, 2}}, .rounds = {}};
    schedule.round({}, {step});
    return safe_in_place(schedule, 1);
  };
  EXPECT_FALSE(alone(Copy{input(0), output(2), 2}));
  EXPECT_FALSE(alone(Reduce{scratch(0), input(1), output(1), 2}));
  EXPECT_TRUE(alone(Copy{input(1), output(0), 2}));
  EXPECT_TRUE(alone(Reduce{scratch(0), input(1), output(2), 2}));
}

TEST(InPlace, LetsAStepReduceIntoItsOwnOperand) {
  Schedule schedule{.blocks = 2, .scratch = {{0, 2}}, .rounds = {}};
  schedule.round({Recv{Rank{1}, scratch(0), 2}}, {Reduce{input(0), scratch(0), output(0), 2}});
  EXPECT_TRUE(safe_in_place(schedule));
}

}  // namespace
}  // namespace breakeven::kernels
