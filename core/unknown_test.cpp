// SPDX-License-Identifier: BSD-3-Clause
#include "core/unknown.hpp"

#include <gtest/gtest.h>

namespace breakeven {
namespace {

const std::vector<std::string_view> kWords{
    "allgather/ring", "allreduce/ring", "allreduce/linear", "recursive_doubling", "seq", "rr"};

TEST(DidYouMean, SlipsOfOneLetterInThree) {
  for (const auto* const slip : {"rign", "rin", "ringg", "rung", "RING"}) {
    EXPECT_EQ(did_you_mean(slip, kWords), "; did you mean 'allgather/ring' or 'allreduce/ring'?")
        << slip;
  }
  EXPECT_EQ(did_you_mean("alreduce/ring", kWords), "; did you mean 'allreduce/ring'?");
  EXPECT_EQ(did_you_mean("sqe", kWords), "; did you mean 'seq'?");
  EXPECT_EQ(did_you_mean("--dbb", {"--op", "--db"}), "; did you mean '--db'?");
  EXPECT_EQ(did_you_mean("recursive-doublng", kWords), "; did you mean 'recursive_doubling'?");
}

TEST(DidYouMean, ABeginning) {
  EXPECT_EQ(did_you_mean("recurs", kWords), "; did you mean 'recursive_doubling'?");
}

TEST(DidYouMean, ANameOfMpi) {
  EXPECT_EQ(did_you_mean("MPI_Bcast", {"bcast", "scatter"}), "; did you mean 'bcast'?");
}

TEST(DidYouMean, NothingFarOrEmptyOrAmbiguous) {
  EXPECT_EQ(did_you_mean("--np", {"--op", "--db"}), "");
  for (const auto* const far : {"", "x", "qq", "bruck", "linnaeus", "doubling"}) {
    EXPECT_EQ(did_you_mean(far, kWords), "") << far;
  }
  EXPECT_EQ(did_you_mean("max", {"may1", "maxa", "maxb", "maxc", "maxd"}), "");
}

TEST(Unknown, ListsWhatIsKnown) {
  EXPECT_EQ(unknown("format", "yaml", {"text", "json"}), "no format 'yaml'; known: text json");
  EXPECT_EQ(unknown("format", "jsn", {"text", "json"}),
            "no format 'jsn'; did you mean 'json'? known: text json");
  EXPECT_EQ(unknown("plot", "pie", {}), "no plot 'pie'; known: none");
}

}  // namespace
}  // namespace breakeven
