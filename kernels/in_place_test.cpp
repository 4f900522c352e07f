// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/in_place.hpp"

#include <gtest/gtest.h>

namespace breakeven {
namespace {

Schedule of(std::initializer_list<Comm> comm, std::initializer_list<Local> local) {
  Schedule schedule{.blocks = 4, .scratch = {{0, 4}}, .rounds = {}};
  schedule.round(comm, local);
  return schedule;
}

TEST(InPlace, ABlockMayBeReadUntilItIsWritten) {
  EXPECT_TRUE(safe_in_place(of({Send{Rank{1}, input(0), 4}, Recv{Rank{1}, scratch(0), 4}},
                               {Reduce{scratch(0), input(0), output(0), 4}})));
  Schedule late = of({}, {Copy{scratch(0), output(1)}});
  late.round({Send{Rank{1}, input(0)}});
  EXPECT_TRUE(safe_in_place(late));
  late.round({Send{Rank{1}, input(1)}});
  EXPECT_FALSE(safe_in_place(late));
}

TEST(InPlace, ABlockIsNotSentWhileAnotherArrivesInIt) {
  EXPECT_FALSE(safe_in_place(of({Send{Rank{1}, input(0), 4}, Recv{Rank{1}, output(3)}}, {})));
  EXPECT_TRUE(safe_in_place(of({Send{Rank{1}, input(0), 3}, Recv{Rank{1}, output(3)}}, {})));
}

TEST(InPlace, WhereTheInputLiesInTheOutputMatters) {
  const Schedule schedule = of({Send{Rank{1}, input(0)}, Recv{Rank{1}, output(0)}}, {});
  EXPECT_FALSE(safe_in_place(schedule, 0));
  EXPECT_TRUE(safe_in_place(schedule, 2));
}

}  // namespace
}  // namespace breakeven
