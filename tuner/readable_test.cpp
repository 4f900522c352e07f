// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/readable.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "tuner/testing.hpp"

namespace breakeven {
namespace {

/// The first line with `word` in it.
std::string line_with(const std::string& text, const std::string& word) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(word) != std::string::npos) return line;
  }
  return "no line with " + word;
}

const std::string kText = readable(testing::small_table(), testing::some_provenance());

TEST(Readable, ARowShowsTheChoiceAndAllDoubts) {
  EXPECT_EQ(line_with(kText, "1020 B"),
            "     1020 B  1 KiB to 1 MiB        ring                 1.50 (1.25-1.75)     0.0%   3 "
            "(75%)  sure");
  EXPECT_EQ(line_with(kText, "halving_doubling"),
            "   100000 B  128 KiB to 1 MiB      halving_doubling     1.50 (1.25-1.75)     3.4%   2 "
            "(50%)  weak");
}

TEST(Readable, AGainThatNobodyMeasuredIsNotOne) {
  EXPECT_NE(line_with(kText, "1 KiB to 2 KiB").find("not measured"), std::string::npos);
  EXPECT_NE(line_with(kText, "unsure").find("native               -  "), std::string::npos);
}

TEST(Readable, OversubscribedProcessCountsAreMarkedAndOthersAreNot) {
  EXPECT_EQ(line_with(kText, "mapping rr"),
            "  p = 8: 1 node of 8, mapping rr; OVERSUBSCRIBED: more processes than cores");
  EXPECT_EQ(line_with(kText, "p = 8"), "  p = 8: 1 node of 8, mapping seq");
}

TEST(Readable, TheHeadSaysWhereTheTableComesFrom) {
  EXPECT_EQ(line_with(kText, "launches"), "  launches   2 to 3");
  EXPECT_EQ(line_with(kText, "again"),
            "  again      breakeven tune --db results.db --machine mpich");
  EXPECT_EQ(line_with(kText, "data "), "  data       int, sum");
}

TEST(Readable, NoLineIsLongerThan100Columns) {
  std::istringstream lines(kText);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
}

}  // namespace
}  // namespace breakeven
