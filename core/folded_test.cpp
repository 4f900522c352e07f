// SPDX-License-Identifier: BSD-3-Clause
#include "core/folded.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace breakeven {
namespace {

using Strings = std::vector<std::string>;

std::string of(const std::vector<int>& numbers) { return folded(numbers); }

TEST(Folded, JoinsRunsOfNumbers) {
  EXPECT_EQ(of({}), "");
  EXPECT_EQ(of({7}), "7");
  EXPECT_EQ(of({0, 1, 2, 4, 5, 9}), "0-2,4,5,9");
}

TEST(Folded, KeepsZerosAndSuffixes) {
  EXPECT_EQ(folded(Strings{"n10", "n9", "n8", "n9"}), "n[8-10]");
  EXPECT_EQ(folded(Strings{"node098.a.b", "node099.a.b", "node100.a.b", "node102.a.b"}),
            "node[098-100,102].a.b");
  EXPECT_EQ(folded(Strings{"r1n02", "r1n03", "r2n02", "login", "n1", "n01"}),
            "login,n[01,1],r1n[02-03],r2n02");
  EXPECT_EQ(folded(Strings{"n1.a", "n2.b"}), "n1.a,n2.b");
}

TEST(Folded, TellsHowRanksLie) {
  const auto hosts = [](int nodes, int ranks, bool dealt) {
    Strings names;
    for (int i = 0; i < nodes * ranks; ++i) {
      names.push_back(fmt::format("node{:03}", 1 + (dealt ? i % nodes : i / ranks)));
    }
    return names;
  };
  EXPECT_EQ(folded_placement(hosts(64, 64, false)), "node[001-064] x 64");
  EXPECT_EQ(folded_placement(hosts(64, 64, true)), "64 times node[001-064]");
  Strings odd = hosts(3, 2, false);
  odd.emplace_back("login");
  EXPECT_EQ(folded_placement(odd), "node[001-003] x 2, login");
  EXPECT_EQ(folded_placement(Strings{"b", "a", "a", "b"}), "b, a x 2, b");
  EXPECT_EQ(folded_placement(Strings{"a"}), "a");
  EXPECT_EQ(folded_placement(Strings{}), "");
  Strings irregular;
  for (int i = 0; i < 100; ++i) irregular.insert(irregular.end(), 1 + i % 2, i % 3 ? "a" : "b");
  EXPECT_TRUE(folded_placement(irregular).ends_with(" ranks more")) << folded_placement(irregular);
}

}  // namespace
}  // namespace breakeven
