// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/params.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "kernels/catalogue.hpp"

namespace breakeven::kernels {
namespace {

TEST(Params, ValuesMayHoldCommasAndAreWrittenInKeyOrder) {
  const Params params = Params::parse("stages=a4,a6,reorder_ranks=2,0,1");
  EXPECT_EQ(params.find("stages"), "a4,a6");
  EXPECT_EQ(params.find("reorder_ranks"), "2,0,1");
  EXPECT_EQ(params.text(), "reorder_ranks=2,0,1,stages=a4,a6");
  EXPECT_EQ(Params::parse(params.text()), params);
}

TEST(Params, AValueWithParametersOfItsOwnStandsInParentheses) {
  const Params params =
      Params::parse("allreduce=(recursive_multiplying:stages=a4,a6),bcast=binomial");
  EXPECT_EQ(params.find("allreduce"), "recursive_multiplying:stages=a4,a6");
  EXPECT_EQ(params.find("bcast"), "binomial");
  EXPECT_EQ(Params::parse(params.text()), params);
}

TEST(Params, NothingIsTakenThatCannotBeUnderstood) {
  for (const char* text : {"a4,a6", "=3", "n=", "n=2,n=3"}) {
    EXPECT_THROW(static_cast<void>(Params::parse(text)), UsageError) << text;
  }
  EXPECT_TRUE(Params::parse("").empty());
}

TEST(Params, NumbersAreWholeAndLargeEnough) {
  const Params params = Params::parse("n=3,x=4.5,z=0");
  EXPECT_EQ(params.find_number("n", 1), 3);
  EXPECT_EQ(params.find_number("absent", 1), std::nullopt);
  EXPECT_THROW(static_cast<void>(params.find_number("x", 1)), UsageError);
  EXPECT_THROW(static_cast<void>(params.find_number("z", 1)), UsageError);
}

}  // namespace
}  // namespace breakeven::kernels
